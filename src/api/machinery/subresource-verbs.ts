// Verbs that discovery lists for subresources.
import type { Verb } from './kind.ts'

export const streamVerbs: readonly Verb[] = ['create', 'get']
export const proxyVerbs: readonly Verb[] = ['create', 'delete', 'get', 'patch', 'update']
export const changeVerbs: readonly Verb[] = ['get', 'patch', 'update']
