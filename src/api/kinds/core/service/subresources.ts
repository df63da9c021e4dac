import type { SubresourceName } from '../../../machinery/kind.ts'
import { proxyVerbs } from '../../../machinery/subresource-verbs.ts'

export const serviceSubresources: readonly SubresourceName[] = [{ name: 'proxy', kind: 'ServiceProxyOptions', verbs: proxyVerbs }]
