// The selector for the default spread constraints of a pod: the pods of its services and its controller.
// Kubernetes: pkg/scheduler/framework/plugins/helper.DefaultSelector, GetPodServices
import { replicaSets, replicationControllers, services, statefulSets } from '../../api/kinds.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { Pod, ReplicaSet, StatefulSet, Stored } from '../../api/types.ts'
import { type LabelRequirements, matchesLabels, selectorRequirements } from '../../base/label-selector.ts'
import type { Informer } from '../../runtime/informer.ts'
import type { SharedInformers } from '../../runtime/shared-informers.ts'

interface SelectingObject {
  readonly spec?: { readonly selector?: Readonly<Record<string, string>> }
}

/** Reads the caches of the informers. Undefined: the pod has neither a service nor a controller. */
export function createDefaultSelector(informers: SharedInformers): (pod: Stored<Pod>) => LabelRequirements | undefined {
  const known = new Map<string, LabelRequirements | undefined>()
  const forget = () => known.clear()
  const onSelector = (current: SelectingObject | undefined, previous: SelectingObject | undefined) => {
    if (JSON.stringify(current?.spec?.selector) !== JSON.stringify(previous?.spec?.selector)) forget()
  }
  const serviceInformer = informers.get(services)
  serviceInformer.onChange(onSelector)
  const controllerInformer = informers.get(replicationControllers)
  controllerInformer.onChange(onSelector)
  const owners: Readonly<Record<string, (key: string) => LabelRequirements | undefined>> = {
    'apps/v1 ReplicaSet': readSelector(informers.get(replicaSets), forget),
    'apps/v1 StatefulSet': readSelector(informers.get(statefulSets), forget),
    'v1 ReplicationController': (key) => {
      const selector = controllerInformer.get(key)?.spec?.selector
      return selector && selectorRequirements({ matchLabels: selector })
    },
  }

  const read = (pod: Stored<Pod>): LabelRequirements | undefined => {
    const { metadata } = pod
    const requirements: LabelRequirements[number][] = []
    for (const { spec } of serviceInformer.byIndex('namespace', metadata.namespace ?? '')) {
      if (!spec?.selector || Object.keys(spec.selector).length === 0) continue
      const selector = selectorRequirements({ matchLabels: spec.selector })!
      if (matchesLabels(selector, metadata.labels)) requirements.push(...selector)
    }
    const owner = controllerOf(pod)
    const name = owner && `${owner.apiVersion} ${owner.kind}`
    if (owner !== undefined && name !== undefined && Object.hasOwn(owners, name))
      requirements.push(...(owners[name]!(`${metadata.namespace}/${owner.name}`) ?? []))
    return requirements.length === 0 ? undefined : requirements
  }

  return (pod) => {
    const { namespace, labels } = pod.metadata
    const key = JSON.stringify([namespace, labels, controllerOf(pod)?.uid])
    if (known.has(key)) return known.get(key)
    const selector = read(pod)
    if (known.size >= 10_000) forget()
    known.set(key, selector)
    return selector
  }
}

function readSelector<T extends ReplicaSet | StatefulSet>(
  informer: Informer<T>,
  onSelector: () => void,
): (key: string) => LabelRequirements | undefined {
  informer.onChange((current, previous) => {
    if (current?.metadata.uid !== previous?.metadata.uid) onSelector()
  })
  return (key) => selectorRequirements(informer.get(key)?.spec?.selector)
}
