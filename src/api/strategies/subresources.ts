// The endpoints beside an object that discovery lists, with their verbs.
import type { SubresourceName, Verb } from '../machinery/kind.ts'

const stream: readonly Verb[] = ['create', 'get']
const proxy: readonly Verb[] = ['create', 'delete', 'get', 'patch', 'update']
const change: readonly Verb[] = ['get', 'patch', 'update']

export const podSubresources: readonly SubresourceName[] = [
  { name: 'attach', kind: 'PodAttachOptions', verbs: stream },
  { name: 'binding', kind: 'Binding', verbs: ['create'] },
  { name: 'ephemeralcontainers', kind: 'Pod', verbs: change },
  { name: 'eviction', group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
  { name: 'exec', kind: 'PodExecOptions', verbs: stream },
  { name: 'log', kind: 'Pod', verbs: ['get'] },
  { name: 'portforward', kind: 'PodPortForwardOptions', verbs: stream },
  { name: 'proxy', kind: 'PodProxyOptions', verbs: proxy },
  { name: 'resize', kind: 'Pod', verbs: change },
]

export const nodeSubresources: readonly SubresourceName[] = [{ name: 'proxy', kind: 'NodeProxyOptions', verbs: proxy }]

export const serviceSubresources: readonly SubresourceName[] = [{ name: 'proxy', kind: 'ServiceProxyOptions', verbs: proxy }]

export const namespaceSubresources: readonly SubresourceName[] = [{ name: 'finalize', kind: 'Namespace', verbs: ['update'] }]

export const serviceAccountSubresources: readonly SubresourceName[] = [
  { name: 'token', group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: ['create'] },
]
