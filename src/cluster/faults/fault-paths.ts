// /rollcall/v1/faults: GET tells which faults go on, POST orders one, DELETE ends them, or one by its id. For those who may
// do everything.
import { failure } from '../../api/machinery/status-error.ts'
import type { HandleOwnPath } from '../../server/http/own-paths.ts'
import type { FaultBox } from './fault-box.ts'
import { readFaultOrder } from './fault-order.ts'

export const faultsPath = '/rollcall/v1/faults'

/** Undefined for other paths. */
export function answerFaults(box: FaultBox): HandleOwnPath {
  return async ({ method, path, body }) => {
    if (path !== faultsPath && !path.startsWith(`${faultsPath}/`)) return undefined
    const id = path.slice(faultsPath.length + 1)
    if (method === 'GET' && id === '') return { body: { items: box.list() } }
    if (method === 'POST' && id === '') return { code: 201, body: await box.order(readFaultOrder(body)) }
    if (method === 'DELETE') return { body: { cleared: await box.clear(id === '' ? undefined : [id]) } }
    throw failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})
  }
}
