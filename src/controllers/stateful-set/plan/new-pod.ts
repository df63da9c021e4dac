// New pods of a StatefulSet, and corrections of existing ones.
// Kubernetes: pkg/controller/statefulset.newStatefulSetPod, newVersionedStatefulSetPod, StatefulPodControl.UpdateStatefulPod
import { controllerReference } from '../../../api/machinery/owners.ts'
import type { Pod, PodTemplateSpec, StatefulSet, Stored } from '../../../api/types.ts'
import { podFromTemplate } from '../../replica-set/plan/new-pod.ts'
import type { Template } from '../../shared/plan/revision.ts'
import { identityLabels, ordinalOf, podNameOf, revisionLabel, volumesOf } from './identity.ts'

export interface NamedPod extends Pod {
  readonly metadata: NonNullable<Pod['metadata']> & { readonly name: string; readonly namespace?: string }
}

/** The pod with that ordinal, from the template of a revision. */
export function newPod(set: Stored<StatefulSet>, template: Template | undefined, revision: string, ordinal: number): NamedPod {
  const pod = podFromTemplate(
    template as PodTemplateSpec | undefined,
    set.metadata.name,
    controllerReference('apps/v1', 'StatefulSet', set),
  )
  const name = podNameOf(set, ordinal)
  const volumes = volumesOf(set, ordinal, pod.spec?.volumes)
  // As in Kubernetes, the subdomain is the service of the set, or none: one in the template does not count.
  const { subdomain: _, ...spec } = pod.spec ?? { containers: [] }
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name,
      ...(set.metadata.namespace !== undefined && { namespace: set.metadata.namespace }),
      labels: { ...pod.metadata?.labels, ...identityLabels(set, ordinal), [revisionLabel]: revision },
    },
    spec: {
      ...spec,
      hostname: name,
      ...(set.spec?.serviceName && { subdomain: set.spec.serviceName }),
      ...(volumes.length > 0 && { volumes }),
    },
  }
}

/** The pod with the labels and volumes of its ordinal. */
export function correctedPod(set: Stored<StatefulSet>, pod: Stored<Pod>): Stored<Pod> {
  const ordinal = ordinalOf(pod)
  return {
    ...pod,
    metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...identityLabels(set, ordinal) } },
    spec: { ...pod.spec!, ...(set.spec?.volumeClaimTemplates && { volumes: volumesOf(set, ordinal, pod.spec?.volumes) }) },
  }
}
