import type { SubresourceName } from '../../../machinery/kind.ts'
import { proxyVerbs } from '../../../machinery/subresource-verbs.ts'

export const nodeSubresources: readonly SubresourceName[] = [{ name: 'proxy', kind: 'NodeProxyOptions', verbs: proxyVerbs }]
