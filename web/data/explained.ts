// What the server explains about a workload: the counts that decide, and what its controller does next.
import { send } from '../session.ts'
import type { AnyObject, Fields } from './objects.ts'
import { pathOf } from './resources.ts'
import type { WorkloadRow } from './views.ts'

export interface Explained {
  /** What it waits for, in one line. */
  readonly cause: string
  /** The counts that decide, as a sentence. */
  readonly account: string
  /** The next writes of its controller. */
  readonly next: readonly string[]
}

const explained = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job']

/** The lists that an explanation needs; of those that are `selected`, what the workload selects is enough. */
const lists = [
  { field: 'pods', path: '/api/v1/namespaces/NS/pods', selected: true },
  { field: 'replicaSets', path: '/apis/apps/v1/namespaces/NS/replicasets', selected: true },
  { field: 'revisions', path: '/apis/apps/v1/namespaces/NS/controllerrevisions', selected: true },
  { field: 'claims', path: '/api/v1/namespaces/NS/persistentvolumeclaims', selected: true },
  { field: 'budgets', path: '/apis/policy/v1/namespaces/NS/poddisruptionbudgets', selected: false },
  { field: 'nodes', path: '/api/v1/nodes', selected: false },
  { field: 'warnings', path: '/api/v1/namespaces/NS/events?fieldSelector=type%3DWarning', selected: false },
] as const

/** The request with the explanation has all of them. */
const maxPods = 1000

/** Undefined for a kind that is not explained, and for a workload that is too large. */
export async function explainWorkload(row: WorkloadRow, nowMs: number): Promise<Explained | undefined> {
  const { kind, namespace, name, ...counts } = row
  if (!explained.includes(kind) || counts.desired > maxPods || counts.terminating > maxPods) return undefined
  const at = (path: string) => path.replace('NS', encodeURIComponent(namespace))
  const object = await send<AnyObject>('GET', pathOf(kind, namespace, name))
  const selector = selectorOf(object)
  const found = await Promise.all(
    lists.map(async ({ field, path, selected }) => {
      const query = selected && selector !== '' ? `?labelSelector=${encodeURIComponent(selector)}` : ''
      // What this user may not read is left out.
      const { items } = await send<{ items: readonly object[] }>('GET', `${at(path)}${query}`).catch(() => ({ items: [] }))
      return [field, items] as const
    }),
  )
  return send<Explained>('POST', '/rollcall/v1/explain', { kind, object, nowMs, surroundings: Object.fromEntries(found) })
}

/** Empty: everything is read. */
function selectorOf({ spec }: AnyObject): string {
  const { matchLabels, matchExpressions } = (spec?.['selector'] ?? {}) as { matchLabels?: Fields; matchExpressions?: readonly object[] }
  if (matchExpressions !== undefined && matchExpressions.length > 0) return ''
  return Object.entries(matchLabels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
}
