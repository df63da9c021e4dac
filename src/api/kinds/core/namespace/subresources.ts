import type { SubresourceName } from '../../../machinery/kind.ts'

export const namespaceSubresources: readonly SubresourceName[] = [{ name: 'finalize', kind: 'Namespace', verbs: ['update'] }]
