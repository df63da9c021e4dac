// The objects of metrics.k8s.io: computed at each request from the pods and their simulated usage.
// Ours: metrics.k8s.io belongs to metrics-server, another program.

import { simulateUsage, type Usage } from '../../../api/kinds/metrics/simulated-usage.ts'
import { nodeMetrics, nodes, podMetrics, pods, services } from '../../../api/kinds.ts'
import { apiVersionOf, type Kind } from '../../../api/machinery/kind.ts'
import { notFoundError } from '../../../api/machinery/status-error.ts'
import type { KubernetesObject, Node, Pod, Service } from '../../../api/types.ts'
import { formatTime } from '../../../base/clock.ts'
import { formatQuantity } from '../../../base/quantity.ts'
import { list } from '../../rest/list.ts'
import type { ListQuery, ObjectResponse } from '../../rest/rest.ts'
import type { ReadScope } from '../../rest/scope.ts'
import type { BehaviorDefinition } from '../kind-behavior.ts'

type ReadItems = (scope: ReadScope, namespace: string, query: ListQuery) => object[]

const computed = (kind: Kind, read: ReadItems): BehaviorDefinition => ({
  kinds: [kind],
  define: () => ({
    computed: {
      get(scope, namespace, name) {
        const [object] = read(scope, namespace, { fieldSelector: `metadata.name=${name}` })
        if (object === undefined) throw notFoundError(kind, name)
        return respond(kind, object)
      },
      list(scope, namespace, { labelSelector, fieldSelector }) {
        const query = { ...(labelSelector !== undefined && { labelSelector }), ...(fieldSelector !== undefined && { fieldSelector }) }
        const items = read(scope, namespace, query).map((object) => respond(kind, object))
        return { kind, items, resourceVersion: String(scope.store.revision) }
      },
    },
  }),
})

const window = '15s'

function respond(kind: Kind, object: object): ObjectResponse {
  return { kind, object: { kind: kind.kind, apiVersion: apiVersionOf(kind), ...object } as KubernetesObject, json: JSON.stringify(object) }
}

const objectsOf = <T extends KubernetesObject>(scope: ReadScope, kind: Kind<T>, namespace: string, query: ListQuery = {}) =>
  list(scope, kind, namespace, query).items.map(({ object }) => object as T)

/** The pods of a namespace, or of all, with their usage. A load is shared among all pods of a Service, also among those that `query` leaves out. */
function measuredPods(scope: ReadScope, namespace: string): { readonly pod: Pod; readonly usage: Usage }[] {
  const spaces = new Map<string, { readonly pods: Pod[]; readonly services: Service[] }>()
  const spaceOf = ({ metadata }: KubernetesObject) => {
    const name = metadata?.namespace ?? ''
    const space = spaces.get(name) ?? { pods: [], services: [] }
    spaces.set(name, space)
    return space
  }
  for (const pod of objectsOf<Pod>(scope, pods, namespace)) spaceOf(pod).pods.push(pod)
  for (const service of objectsOf<Service>(scope, services, namespace)) spaceOf(service).services.push(service)
  return [...spaces.values()].flatMap((space) => {
    const usages = simulateUsage(space.pods, space.services)
    return space.pods.flatMap((pod) => {
      const usage = usages.get(pod.metadata?.name ?? '')
      return usage === undefined ? [] : [{ pod, usage }]
    })
  })
}

function podItems(scope: ReadScope, namespace: string, query: ListQuery): object[] {
  const wanted = new Set(objectsOf<Pod>(scope, pods, namespace, query).map(({ metadata }) => metadata?.uid))
  const timestamp = formatTime(scope.clock.now())
  return measuredPods(scope, namespace)
    .filter(({ pod }) => wanted.has(pod.metadata?.uid))
    .map(({ pod, usage }) => {
      const { name, namespace: space, labels } = pod.metadata ?? {}
      const containers = pod.spec?.containers ?? []
      return {
        metadata: { name, namespace: space, creationTimestamp: timestamp, ...(labels !== undefined && { labels }) },
        timestamp,
        window,
        containers: containers.map((container) => ({ name: container.name, usage: quantities(usage, 1 / containers.length) })),
      }
    })
}

function nodeItems(scope: ReadScope, _namespace: string, query: ListQuery): object[] {
  const timestamp = formatTime(scope.clock.now())
  const totals = new Map<string, Map<string, number>>()
  for (const { pod, usage } of measuredPods(scope, '')) {
    const node = pod.spec?.nodeName ?? ''
    const total = totals.get(node) ?? new Map<string, number>()
    totals.set(node, total)
    for (const [resource, milli] of usage) total.set(resource, (total.get(resource) ?? 0) + milli)
  }
  return objectsOf<Node>(scope, nodes, '', query).map(({ metadata }) => ({
    metadata: { name: metadata?.name, creationTimestamp: timestamp, ...(metadata?.labels !== undefined && { labels: metadata.labels }) },
    timestamp,
    window,
    usage: quantities(
      totals.get(metadata?.name ?? '') ??
        new Map([
          ['cpu', 0],
          ['memory', 0],
        ]),
      1,
    ),
  }))
}

/** Thousandths, as metrics-server writes them: CPU in nanocores, memory in kibibytes. */
function quantities(usage: Usage, share: number): Record<string, string> {
  return Object.fromEntries(
    [...usage].map(([resource, milli]) => {
      const nano = BigInt(Math.round(milli * share)) * 1_000_000n
      return [resource, formatQuantity({ nano, format: resource === 'memory' ? 'BinarySI' : 'DecimalSI' })]
    }),
  )
}

export const usageMetricsBehaviors: readonly BehaviorDefinition[] = [computed(podMetrics, podItems), computed(nodeMetrics, nodeItems)]
