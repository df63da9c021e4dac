// A controller with client-node: it labels every pod with the node that it runs on.
import { CoreV1Api, KubeConfig, makeInformer, type V1Pod } from '@kubernetes/client-node'

const config = new KubeConfig()
config.loadFromDefault()
const core = config.makeApiClient(CoreV1Api)

async function reconcile(pod: V1Pod): Promise<void> {
  const { name = '', namespace = 'default', labels = {} } = pod.metadata ?? {}
  const node = pod.spec?.nodeName
  if (node === undefined || labels['seen'] === node) return
  const body = [{ op: 'add', path: '/metadata/labels', value: { ...labels, seen: node } }]
  await core.patchNamespacedPod({ name, namespace, body }).catch((error: { code?: number }) => {
    if (error.code !== 404) throw error
  })
}

const informer = makeInformer(config, '/api/v1/pods', () => core.listPodForAllNamespaces())
informer.on('add', reconcile)
informer.on('update', reconcile)
// The watch has ended: start again.
informer.on('error', () => setTimeout(() => informer.start(), 1000))
await informer.start()
