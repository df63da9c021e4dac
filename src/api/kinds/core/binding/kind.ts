// Kubernetes: pkg/registry/core/pod/storage.LegacyBindingREST.*
import type { Kind } from '../../../machinery/kind.ts'
import type { Binding } from '../../../types.ts'

export const bindings: Kind<Binding> = {
  group: '',
  version: 'v1',
  kind: 'Binding',
  plural: 'bindings',
  namespaced: true,
  type: 'core.Binding',
  verbs: ['create'],
  strategy: { names: 'any' },
}
