// The condition at which a step of time ends early.
import { findKind } from '../../api/kind-names.ts'
import { badRequestError, isStatusError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'

/** A condition of an object, as in `kubectl wait --for=condition`, or `deleted`. */
export interface StepGoal {
  /** `deployment/web`. */
  readonly object: string
  /** Default `default`. */
  readonly namespace?: string
  /** Such as `Available`; case does not matter. */
  readonly condition: string
}

interface Conditioned extends KubernetesObject {
  readonly status?: {
    readonly observedGeneration?: number
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  }
}

/** Throws a StatusError for an invalid name or an unknown kind. */
export function readGoal(client: Client, { object, namespace = 'default', condition }: StepGoal): () => Promise<boolean> {
  const slash = object.indexOf('/')
  const kind = slash < 0 ? undefined : findKind(object.slice(0, slash))
  const name = object.slice(slash + 1)
  if (slash <= 0 || name === '') throw badRequestError(`cannot wait for ${JSON.stringify(object)}: write KIND/NAME, such as deployment/web`)
  if (kind === undefined)
    throw badRequestError(`cannot wait for ${JSON.stringify(object)}: there is no kind ${JSON.stringify(object.slice(0, slash))}`)
  const ref = kind.namespaced ? { namespace, name } : { name }
  const wanted = condition.toLowerCase()
  return async () => {
    try {
      const found = (await client.get(kind, ref)) as Conditioned
      if (wanted === 'deleted') return false
      const { observedGeneration, conditions = [] } = found.status ?? {}
      if (observedGeneration !== undefined && observedGeneration < (found.metadata?.generation ?? 0)) return false
      return conditions.some(({ type, status }) => type.toLowerCase() === wanted && status === 'True')
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error
      return wanted === 'deleted'
    }
  }
}
