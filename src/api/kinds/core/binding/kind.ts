import type { Kind } from '../../../machinery/kind.ts'
import type { Binding } from '../../../types.ts'

export const bindings: Kind<Binding> = {
  group: '',
  version: 'v1',
  kind: 'Binding',
  plural: 'bindings',
  namespaced: true,
  type: 'core.Binding',
  types: {
    'core.Binding': {
      $typeMeta: 'object',
      target: 'core.ObjectReference always required #2',
    },
  },
  verbs: ['create'],
  strategy: { names: 'any' },
}
