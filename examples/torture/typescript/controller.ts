// A controller with client-node. A Shop gets a token (a Secret), a configuration and workers (ConfigMaps), and an entry in the namespace "registry", which a
// finalizer removes. The environment variable BUG plants one of five mistakes that `rollcall torture` finds.
import {
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  type KubernetesObject,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  type V1ObjectMeta,
} from '@kubernetes/client-node'

interface Shop extends KubernetesObject {
  readonly metadata: V1ObjectMeta & { readonly name: string; readonly namespace: string }
  readonly spec?: { readonly workers?: number }
  readonly status?: { readonly phase?: string; readonly token?: string }
}

const finalizer = 'example.dev/registry'
const bug = process.env['BUG']
const retryMs = 200

const config = new KubeConfig()
config.loadFromDefault()
const core = config.makeApiClient(CoreV1Api)
const custom = config.makeApiClient(CustomObjectsApi)
const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch)
const shopsPath = { group: 'example.dev', version: 'v1', plural: 'shops' }

const shops = makeInformer<Shop>(
  config,
  '/apis/example.dev/v1/shops',
  () => custom.listClusterCustomObject(shopsPath).then((list) => list as { items: Shop[]; metadata: object } & KubernetesObject) as never,
)
const configMaps = makeInformer<V1ConfigMap>(config, '/api/v1/configmaps', () => core.listConfigMapForAllNamespaces())
/** What the informers have seen. */
const knownShops = new Map<string, Shop>()
const knownConfigMaps = new Map<string, V1ConfigMap>()
const keyOf = ({ metadata }: KubernetesObject) => `${metadata?.namespace}/${metadata?.name}`

const ignoring = (code: number) => (error: { code?: number }) => {
  if (error.code !== code) throw error
}

const entryOf = ({ metadata: { name } }: Shop) => ({ namespace: 'registry', name: `shop-${name}` })

const owned = ({ metadata: { name, namespace, uid = '' } }: Shop, suffix: string) => ({
  namespace,
  name: `${name}-${suffix}`,
  ownerReferences: [{ apiVersion: 'example.dev/v1', kind: 'Shop', name, uid, controller: true }],
})

const createConfigMap = (metadata: V1ObjectMeta & { namespace: string }, data = {}) =>
  core.createNamespacedConfigMap({ namespace: metadata.namespace, body: { metadata, data } })

const setStatus = ({ metadata: { name, namespace } }: Shop, status: Shop['status']) =>
  custom.patchNamespacedCustomObjectStatus({ ...shopsPath, name, namespace, body: { status } }, merge)

const setFinalizers = ({ metadata: { name, namespace, resourceVersion } }: Shop, finalizers: readonly string[]) =>
  custom.patchNamespacedCustomObject({ ...shopsPath, name, namespace, body: { metadata: { finalizers, resourceVersion } } }, merge)

const deleteEntry = (shop: Shop) => core.deleteNamespacedConfigMap(entryOf(shop))

async function reconcile(shop: Shop): Promise<void> {
  const { deletionTimestamp, finalizers = [] } = shop.metadata
  if (deletionTimestamp !== undefined) {
    if (!finalizers.includes(finalizer)) return
    // Wrong with this bug: after a crash the entry is gone already, and the finalizer stays for ever.
    if (bug === 'finalizer-leak') await deleteEntry(shop)
    else await deleteEntry(shop).catch(ignoring(404))
    await setFinalizers(
      shop,
      finalizers.filter((one) => one !== finalizer),
    ).catch(ignoring(404))
    return
  }
  if (bug !== 'missed-event' && !finalizers.includes(finalizer)) await setFinalizers(shop, [...finalizers, finalizer])
  await createConfigMap(entryOf(shop)).catch(ignoring(409))
  await ensureToken(shop)
  await ensureConfiguration(shop)
  await ensureWorkers(shop)
}

async function ensureToken(shop: Shop): Promise<void> {
  const { namespace, name } = shop.metadata
  const metadata = owned(shop, 'token')
  const stringData = { token: 'secret' }
  if (bug !== 'lost-answer') {
    await core.createNamespacedSecret({ namespace, body: { metadata, stringData } }).catch(ignoring(409))
    return
  }
  // Wrong: where the response is lost, there is a second token that nothing refers to.
  if (shop.status?.token !== undefined) return
  const { name: _, ...rest } = metadata
  const body = { metadata: { ...rest, generateName: `${name}-token-` }, stringData }
  const secret = await core.createNamespacedSecret({ namespace, body })
  await setStatus(shop, { token: secret.metadata?.name ?? '' })
}

async function ensureConfiguration(shop: Shop): Promise<void> {
  const isReady = shop.status?.phase === 'Ready'
  const create = () => createConfigMap(owned(shop, 'configuration'), { open: 'always' }).catch(ignoring(409))
  if (bug === 'intermediate-state') {
    // Wrong: after a crash between the two writes, the configuration is never created.
    if (isReady) return
    await setStatus(shop, { phase: 'Ready' })
    await create()
    return
  }
  await create()
  if (!isReady) await setStatus(shop, { phase: 'Ready' })
}

async function ensureWorkers(shop: Shop): Promise<void> {
  const { name } = shop.metadata
  const wanted = shop.spec?.workers ?? 0
  if (bug !== 'stale-read') {
    for (let i = 1; i <= wanted; i++) await createConfigMap(owned(shop, `worker-${i}`)).catch(ignoring(409))
    return
  }
  // Wrong: the informer may not have seen the workers that were just created.
  const workers = [...knownConfigMaps.values()].filter(({ metadata }) => metadata?.labels?.['shop'] === name)
  for (let i = workers.length; i < wanted; i++) {
    const { name: _, ...rest } = owned(shop, '')
    await createConfigMap({ ...rest, generateName: `${name}-worker-`, labels: { shop: name } })
  }
}

/** One shop at a time; one that failed is tried again. */
const queue = new Set<string>()
let isWorking = false

async function work(): Promise<void> {
  if (isWorking) return
  isWorking = true
  for (const key of queue) {
    queue.delete(key)
    const shop = knownShops.get(key)
    if (shop === undefined) continue
    await reconcile(shop).catch((error: Error) => {
      console.error(`${key}: ${error.message.split('\n', 1)[0]}`)
      setTimeout(() => enqueue(key), retryMs)
    })
  }
  isWorking = false
  if (queue.size > 0) await work()
}

function enqueue(key: string): void {
  queue.add(key)
  void work()
}

const onShop = (shop: Shop) => {
  knownShops.set(keyOf(shop), shop)
  enqueue(keyOf(shop))
}
shops.on('add', onShop)
shops.on('update', onShop)
shops.on('delete', (shop) => {
  knownShops.delete(keyOf(shop))
  // Wrong: without a finalizer, a deletion is missed while the controller does not run.
  if (bug === 'missed-event') void deleteEntry(shop).catch((error: Error) => console.error(error.message))
})
const onConfigMap = (configMap: V1ConfigMap) => {
  knownConfigMaps.set(keyOf(configMap), configMap)
  for (const owner of configMap.metadata?.ownerReferences ?? []) enqueue(`${configMap.metadata?.namespace}/${owner.name}`)
}
configMaps.on('add', onConfigMap)
configMaps.on('update', onConfigMap)
configMaps.on('delete', (configMap) => {
  knownConfigMaps.delete(keyOf(configMap))
  for (const owner of configMap.metadata?.ownerReferences ?? []) enqueue(`${configMap.metadata?.namespace}/${owner.name}`)
})
for (const informer of [configMaps, shops]) {
  // The watch has ended: start again.
  informer.on('error', () => setTimeout(() => informer.start(), retryMs))
  await informer.start()
}
