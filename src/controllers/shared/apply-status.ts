// Ours: one way to write a status, for every controller.
import type { Kind } from '../../api/machinery/kind.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import { isEqualJson } from '../../base/json.ts'
import type { Client } from '../../client/client.ts'

/** Writes the status if it has changed. Resolves to the failure, or undefined: an object that was deleted meanwhile is none. */
export async function applyStatus<T extends KubernetesObject & { readonly status?: object }>(
  client: Client,
  kind: Kind<T>,
  object: Stored<T>,
  status: NonNullable<T['status']>,
): Promise<unknown> {
  if (isEqualJson(status, object.status ?? {})) return undefined
  try {
    await client.updateStatus(kind, { ...object, status })
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) return error
  }
  return undefined
}
