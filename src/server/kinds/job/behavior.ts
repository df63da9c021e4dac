// Ours: two fields of an applied Job are one map in Go.
import { jobs } from '../../../api/kinds.ts'
import type { Job, Writable } from '../../../api/types.ts'
import type { BehaviorDefinition } from '../kind-behavior.ts'

export const jobBehavior: BehaviorDefinition = {
  kinds: [jobs],
  define: () => ({
    /** A Job that has no labels shares the labels object of its pod template, including labels that are added later. */
    completeApplied(object) {
      const labels = (object as Writable<Job>).spec?.template?.metadata?.labels
      if (labels !== undefined && object.metadata?.labels === undefined) object.metadata = { ...object.metadata, labels }
    },
  }),
}
