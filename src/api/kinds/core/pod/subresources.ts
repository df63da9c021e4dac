import type { SubresourceName } from '../../../machinery/kind.ts'
import { changeVerbs, proxyVerbs, streamVerbs } from '../../../machinery/subresource-verbs.ts'

export const podSubresources: readonly SubresourceName[] = [
  { name: 'attach', kind: 'PodAttachOptions', verbs: streamVerbs },
  { name: 'binding', kind: 'Binding', verbs: ['create'] },
  { name: 'ephemeralcontainers', kind: 'Pod', verbs: changeVerbs },
  { name: 'eviction', group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
  { name: 'exec', kind: 'PodExecOptions', verbs: streamVerbs },
  { name: 'log', kind: 'Pod', verbs: ['get'] },
  { name: 'portforward', kind: 'PodPortForwardOptions', verbs: streamVerbs },
  { name: 'proxy', kind: 'PodProxyOptions', verbs: proxyVerbs },
  { name: 'resize', kind: 'Pod', verbs: changeVerbs },
]
