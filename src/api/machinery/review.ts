// Reviews: kinds that are only created, and whose response is the created object. They are never stored.
import type { Kind } from './kind.ts'

export const reviewKind = (definition: Pick<Kind, 'group' | 'kind' | 'plural' | 'type'>): Kind => ({
  version: 'v1',
  namespaced: false,
  verbs: ['create'],
  strategy: { names: 'any' },
  ...definition,
})
