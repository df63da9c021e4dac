// Which requests, watches and events a fault concerns. Pure.
import type { ApiCall } from '../../server/http/request-faults.ts'

/** Absent fields select everything. */
export interface CallSelection {
  readonly verbs?: readonly string[]
  /** `pods`, `deployments`, … */
  readonly plurals?: readonly string[]
  /** Prefixes of the User-Agent. */
  readonly agents?: readonly string[]
  /** `system:serviceaccount:shop:operator`. */
  readonly users?: readonly string[]
  readonly namespaces?: readonly string[]
  /** Names of objects. */
  readonly names?: readonly string[]
  /** `status`, `scale`, …; '' is the object itself. */
  readonly subresources?: readonly string[]
}

/** An event of a watch. */
export interface SeenEvent {
  /** ADDED, MODIFIED, DELETED or BOOKMARK. */
  readonly type: string
  readonly namespace: string
  readonly name: string
}

export function selectsCall(selection: CallSelection, call: ApiCall): boolean {
  const { verbs, namespaces, names, subresources } = selection
  return (
    isIn(verbs, call.verb) &&
    selectsClient(selection, call) &&
    isIn(namespaces, call.namespace) &&
    isIn(names, call.name ?? '') &&
    isIn(subresources, call.subresource ?? '')
  )
}

/** Whether the events of that watch may be concerned. */
export function selectsClient({ plurals, agents, users }: CallSelection, { plural, agent, user }: ApiCall): boolean {
  return isIn(plurals, plural) && isIn(users, user) && (agents === undefined || agents.some((start) => agent.startsWith(start)))
}

export const selectsEvent = ({ namespaces, names }: CallSelection, { namespace, name }: SeenEvent): boolean =>
  isIn(namespaces, namespace) && isIn(names, name)

const isIn = (wanted: readonly string[] | undefined, value: string) => wanted === undefined || wanted.includes(value)

const writeVerbs = ['create', 'update', 'patch', 'delete', 'deletecollection']

export const isWrite = ({ verb, group }: Pick<ApiCall, 'verb' | 'group'>): boolean =>
  writeVerbs.includes(verb) && group !== 'authorization.k8s.io' && group !== 'authentication.k8s.io'
