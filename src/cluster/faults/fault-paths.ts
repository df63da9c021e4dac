// /rollcall/v1/faults: GET lists the active faults and the names of controllers, POST injects one, DELETE ends all of them or the one whose id is in the
// path. For cluster administrators only.
import { failure } from '../../api/machinery/status-error.ts'
import type { HandleOwnPath } from '../../server/http/own-paths.ts'
import type { FaultInjector } from './fault-injector.ts'
import { readFaultOrder } from './fault-order.ts'

export const faultsPath = '/rollcall/v1/faults'

/** Answers undefined for other paths. */
export function answerFaults(injector: FaultInjector): HandleOwnPath {
  return async ({ method, path, body }) => {
    if (path !== faultsPath && !path.startsWith(`${faultsPath}/`)) return undefined
    const id = path.slice(faultsPath.length + 1)
    if (method === 'GET' && id === '') return { body: { items: injector.list(), controllers: injector.controllers } }
    if (method === 'POST' && id === '') return { code: 201, body: await injector.order(readFaultOrder(body)) }
    if (method === 'DELETE') return { body: { cleared: await injector.clear(id === '' ? undefined : id) } }
    throw failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})
  }
}
