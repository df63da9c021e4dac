// The kinds whose objects a controller of a cluster finds and deletes.
// Kubernetes: pkg/controller/garbagecollector.GetDeletableResources
import type { Kind } from '../../api/machinery/kind.ts'
import type { KindSource } from '../../api/machinery/kind-set.ts'

const supports = (kind: Kind, verb: 'list' | 'delete' | 'watch') => kind.verbs === undefined || kind.verbs.includes(verb)

/** Kinds that are stored as another one (Events of events.k8s.io) are handled as that one. */
const isOwned = (kind: Kind) =>
  (['list', 'delete', 'watch'] as const).every((verb) => supports(kind, verb)) && kind.storedForm === undefined

export const ownedKinds = (kinds: KindSource, isWanted: (kind: Kind) => boolean): KindSource => ({
  current: () => kinds.current().filter((kind) => isOwned(kind) && isWanted(kind)),
  onChange: (listener) => kinds.onChange(listener),
})
