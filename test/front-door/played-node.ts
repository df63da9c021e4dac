// Plays the kubelet through the API: binds pods, reports them ready, ends those that say so, and lets terminating ones go
// after a while.
import type { Pod } from '../../src/api/types.ts'
import type { RunningCluster } from './running-cluster.ts'

export interface PlayedNode {
  /** How long a pod takes to stop. Infinity: until told otherwise. */
  stopMs: number
  /** Pods with this image never become ready. */
  brokenImage: string
  /** The most pods of one app label at once, terminating ones included. */
  readonly peaks: ReadonlyMap<string, number>
  stop(): Promise<void>
}

/** The annotation of pods that end: in the phase that it names, once they have run. */
export const endsAs = 'example.com/ends-as'

/** A pod of a DaemonSet names the node that it belongs to. */
function wantedNode({ spec }: Pod): string {
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const field = terms.flatMap(({ matchFields = [] }) => matchFields).find(({ key }) => key === 'metadata.name')
  return field?.values?.[0] ?? 'node-1'
}

export function playNode(cluster: RunningCluster, namespace: string): PlayedNode {
  let stopped = false
  const peaks = new Map<string, number>()
  const terminatingSince = new Map<string, number>()
  const node: PlayedNode & { stopMs: number; brokenImage: string } = {
    stopMs: 0,
    brokenImage: '',
    peaks,
    async stop() {
      stopped = true
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
    const ready = pod.spec?.containers?.[0]?.image === node.brokenImage ? 'False' : 'True'
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
  const loop = (async () => {
    while (!stopped) {
      const { json } = await cluster.ask('GET', pods)
      const items = (json as { items: Pod[] }).items
      const byApp = new Map<string, number>()
      for (const pod of items) {
        const app = pod.metadata?.labels?.['app'] ?? ''
        byApp.set(app, (byApp.get(app) ?? 0) + 1)
      }
      for (const [app, count] of byApp) peaks.set(app, Math.max(peaks.get(app) ?? 0, count))
      for (const pod of items) {
        const uid = pod.metadata!.uid!
        if (pod.metadata?.deletionTimestamp !== undefined) {
          const since = terminatingSince.get(uid) ?? Date.now()
          terminatingSince.set(uid, since)
          if (Date.now() - since >= node.stopMs) await cluster.ask('DELETE', `${pods}/${pod.metadata.name}`, { gracePeriodSeconds: 0 })
        } else if (pod.status?.phase === 'Running') {
          const phase = pod.metadata?.annotations?.[endsAs]
          if (phase !== undefined) await end(pod, phase)
        } else if (pod.status?.phase === 'Pending') await report(pod)
      }
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  })()
  return node
}
