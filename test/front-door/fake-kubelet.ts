// A fake kubelet that works through the API: registers its nodes and renews their Leases, binds pods, reports them ready,
// completes those that request it, and removes terminating ones after a delay.
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import type { Pod } from '../../src/api/types.ts'
import type { RunningCluster } from './running-cluster.ts'

export interface FakeKubelet {
  /** How long a pod takes to stop. Infinity: until the test changes it. */
  stopMs: number
  /** Pods with this image never become ready. */
  brokenImage: string
  /** The most pods of one app label at once, terminating ones included. */
  readonly peaks: ReadonlyMap<string, number>
  stop(): Promise<void>
}

/** The annotation of pods that complete: it names the phase in which they end. */
export const endsAs = 'example.com/ends-as'

/** A pod of a DaemonSet names the node that it belongs to. */
function wantedNode({ spec }: Pod): string {
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const field = terms.flatMap(({ matchFields = [] }) => matchFields).find(({ key }) => key === 'metadata.name')
  return field?.values?.[0] ?? 'node-1'
}

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
const leaseSeconds = 40
const heartbeatMs = 10_000

/** The garbage collector deletes pods on nodes that do not exist, and nodes without a heartbeat lose theirs. */
async function register(cluster: RunningCluster, names: readonly string[]): Promise<{ stop(): void }> {
  const merge = { 'content-type': 'application/merge-patch+json' }
  const renewed = (holderIdentity: string) => ({
    spec: { holderIdentity, leaseDurationSeconds: leaseSeconds, renewTime: new Date().toISOString().replace('Z', '000Z') },
  })
  for (const name of names) {
    await cluster.ask('POST', '/api/v1/nodes', { metadata: { name } })
    await cluster.ask('POST', leases, { metadata: { name }, ...renewed(name) })
    const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }]
    const { code, text } = await cluster.ask('PATCH', `/api/v1/nodes/${name}/status`, { status: { conditions } }, merge)
    if (code !== 200) throw new Error(`Node ${name} cannot be registered: ${code} ${text}`)
  }
  const heartbeat = setInterval(() => {
    for (const name of names) void cluster.ask('PATCH', `${leases}/${name}`, renewed(name), merge).catch(() => {})
  }, heartbeatMs)
  return { stop: () => clearInterval(heartbeat) }
}

export async function startFakeKubelet(
  cluster: RunningCluster,
  namespace: string,
  nodes: readonly string[] = ['node-1'],
): Promise<FakeKubelet> {
  const heartbeat = await register(cluster, nodes)
  let stopped = false
  let [stopMs, brokenImage] = [0, '']
  const peaks = new Map<string, number>()
  const terminatingSince = new Map<string, number>()
  /** The pods that the watch has reported. */
  const known = new Map<string, Pod>()
  let hasNews = true
  let wake = () => {}
  const notice = () => {
    hasNews = true
    wake()
  }
  const node: FakeKubelet = {
    get stopMs() {
      return stopMs
    },
    set stopMs(ms) {
      stopMs = ms
      notice()
    },
    get brokenImage() {
      return brokenImage
    },
    set brokenImage(image) {
      brokenImage = image
      notice()
    },
    peaks,
    async stop() {
      stopped = true
      heartbeat.stop()
      watch.destroy()
      notice()
      await loop
    },
  }
  const pods = `/api/v1/namespaces/${namespace}/pods`
  const report = async (pod: Pod) => {
    const path = `${pods}/${pod.metadata!.name}`
    if (!pod.spec?.nodeName)
      await cluster.ask('POST', `${path}/binding`, {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: pod.metadata!.name },
        target: { kind: 'Node', name: wantedNode(pod) },
      })
    const ready = pod.spec?.containers?.[0]?.image === brokenImage ? 'False' : 'True'
    const now = new Date().toISOString().replace(/\.\d+/, '')
    const conditions = ['Initialized', 'ContainersReady', 'Ready', 'PodScheduled'].map((type) => ({
      type,
      status: type.endsWith('Ready') ? ready : 'True',
      lastTransitionTime: now,
    }))
    await cluster.ask(
      'PATCH',
      `${path}/status`,
      { status: { phase: 'Running', startTime: now, conditions } },
      { 'content-type': 'application/merge-patch+json' },
    )
  }
  const end = ({ metadata, spec }: Pod, phase: string) => {
    const exitCode = phase === 'Failed' ? 1 : 0
    const containerStatuses = spec?.containers?.map(({ name, image }) => ({
      name,
      image,
      imageID: '',
      ready: false,
      restartCount: 0,
      state: { terminated: { exitCode, reason: phase === 'Failed' ? 'Error' : 'Completed' } },
    }))
    const status = { phase, conditions: [], containerStatuses }
    return cluster.ask('PATCH', `${pods}/${metadata!.name}/status`, { status }, { 'content-type': 'application/merge-patch+json' })
  }
  const notePeak = (app: string) => {
    const count = [...known.values()].filter(({ metadata }) => (metadata?.labels?.['app'] ?? '') === app).length
    peaks.set(app, Math.max(peaks.get(app) ?? 0, count))
  }
  const take = (type: string, pod: Pod) => {
    if (type === 'BOOKMARK') return
    if (type === 'DELETED') known.delete(pod.metadata!.uid!)
    else known.set(pod.metadata!.uid!, pod)
    notePeak(pod.metadata?.labels?.['app'] ?? '')
    notice()
  }
  const watch = request(`${cluster.url}${pods}?watch=1&timeoutSeconds=86400`, {
    ca: readFileSync(join(cluster.folder, 'credentials/ca.crt'), 'utf8'),
    headers: { authorization: `Bearer ${cluster.token}` },
  })
  let rest = ''
  watch.on('response', (response) => {
    response.setEncoding('utf8')
    response.on('error', () => {})
    response.on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: Pod }
        take(type, object)
      }
    })
  })
  watch.on('error', () => {})
  watch.end()

  /** What a kubelet would do for the pod now. Returns after how many milliseconds to try again. */
  const sync = async (pod: Pod): Promise<number> => {
    const uid = pod.metadata!.uid!
    if (pod.metadata?.deletionTimestamp !== undefined) {
      const since = terminatingSince.get(uid) ?? Date.now()
      terminatingSince.set(uid, since)
      const leftMs = since + stopMs - Date.now()
      if (leftMs > 0) return leftMs
      await cluster.ask('DELETE', `${pods}/${pod.metadata.name}`, { gracePeriodSeconds: 0 })
    } else if (pod.status?.phase === 'Running') {
      const phase = pod.metadata?.annotations?.[endsAs]
      if (phase !== undefined) await end(pod, phase)
    } else if (pod.status?.phase === 'Pending') await report(pod)
    return Number.POSITIVE_INFINITY
  }
  const loop = (async () => {
    while (!stopped) {
      hasNews = false
      let waitMs = Number.POSITIVE_INFINITY
      for (const pod of known.values()) waitMs = Math.min(waitMs, await sync(pod))
      if (hasNews || stopped) continue
      await new Promise<void>((resolve) => {
        wake = resolve
        if (Number.isFinite(waitMs)) setTimeout(resolve, waitMs)
      })
    }
  })()
  return node
}
