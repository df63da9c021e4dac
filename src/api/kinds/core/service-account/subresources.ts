import type { SubresourceName } from '../../../machinery/kind.ts'

export const serviceAccountSubresources: readonly SubresourceName[] = [
  { name: 'token', group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: ['create'] },
]
