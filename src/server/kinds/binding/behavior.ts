// POST `bindings`: the legacy endpoint, where the binding names the pod.
// Kubernetes: pkg/registry/core/pod/storage.LegacyBindingREST.*
import { bindings } from '../../../api/kinds.ts'
import type { Kind } from '../../../api/machinery/kind.ts'
import type { Status } from '../../../api/types.ts'
import type { ObjectResponse } from '../../rest/rest.ts'
import type { BehaviorDefinition } from '../kind-behavior.ts'
import { bind } from '../pod/binding.ts'

export const bindingBehavior: BehaviorDefinition = {
  kinds: [bindings],
  define: () => ({
    create: async (scope, namespace, input, options) => statusResponse(await bind(scope, namespace, undefined, input, options)),
  }),
}

const statusKind: Kind = {
  group: '',
  version: 'v1',
  kind: 'Status',
  plural: '',
  namespaced: false,
  type: 'meta.Status',
  strategy: { names: 'any' },
}

function statusResponse(status: Status): ObjectResponse {
  const { kind: _, apiVersion: __, ...rest } = status
  return { kind: statusKind, object: status, json: JSON.stringify(rest) }
}
