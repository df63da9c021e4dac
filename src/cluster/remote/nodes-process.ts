// Simulated nodes on any Kubernetes API server, with a scheduler where the cluster has none: the pods that are bound to them
// live as on a kubelet, as far as the API can show it. One server answers `kubectl logs` and `kubectl exec` for all of them.
import { pods as podKind } from '../../api/kinds.ts'
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import { realClock } from '../../base/clock.ts'
import { machineRandom } from '../../base/random.ts'
import type { Connection } from '../../client/connection.ts'
import { createHttpClient } from '../../client/http-client.ts'
import { createRateLimiter } from '../../client/rate-limiter.ts'
import { type Fleet, type FleetOptions, startFleet } from '../../nodes/fleet.ts'
import { liveTiming } from '../../nodes/kubelet/pod-settings.ts'
import type { NodeSpec } from '../../nodes/node-object.ts'
import { startScheduler } from '../../nodes/scheduler/scheduler.ts'
import { createEventRecorder } from '../../runtime/event-recorder.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import { startKubeletServer } from './kubelet-server.ts'

interface NodesProcessOptions {
  readonly connection: Connection
  readonly nodes: readonly NodeSpec[]
  readonly podLife?: Pick<FleetOptions, 'stages' | 'images'>
  /** Whether to bind pods too. */
  readonly hasScheduler: boolean
  /** Where logs and exec are served; the API server has to reach it. Port 0: any that is free. */
  readonly kubelet: { readonly address: string; readonly port: number }
  readonly qps: number
  readonly burst: number
  onFailure(what: string, error: unknown): void
}

interface NodesProcess {
  stop(): Promise<void>
}

const connections = 128

/** Resolves when the nodes are registered. */
export async function startNodesProcess(options: NodesProcessOptions): Promise<NodesProcess> {
  const { connection, onFailure } = options
  const clock = realClock
  const random = machineRandom
  const hooks = { limiter: createRateLimiter({ clock, qps: options.qps, burst: options.burst }), connections }
  const clients = ['kubelet', 'default-scheduler'].map((name) => createHttpClient({ connection, name, clock, random, hooks }))
  const [kubelet, scheduling] = clients as [(typeof clients)[0], (typeof clients)[0]]
  const informers = new SharedInformers({ client: kubelet, clock, random, ownerOfObjects: 'informer', onFailure })
  const partsOf = (component: string, client: typeof kubelet) => ({
    client,
    clock,
    random,
    informers,
    gates: defaultFeatureGates,
    recorder: createEventRecorder({ client, clock, component, onFailure }),
    onFailure,
  })
  const podInformer = informers.get(podKind)
  let fleet: Fleet | undefined
  const server = await startKubeletServer({
    ...options.kubelet,
    nowMs: clock.now(),
    findPod: (namespace, name) => podInformer.get(`${namespace}/${name}`),
    fleet: () => fleet,
  })
  const nodes = options.nodes.map((spec) => ({ ...spec, kubelet: { address: server.address, port: server.port } }))
  fleet = startFleet({ ...partsOf('kubelet', kubelet), nodes, timing: liveTiming, ...options.podLife })
  const scheduler = options.hasScheduler ? startScheduler(partsOf('default-scheduler', scheduling)) : undefined
  const stop = async () => {
    informers.stop()
    await Promise.all([fleet?.stop(), scheduler?.stop(), server.stop()])
    for (const client of clients) client.close()
  }
  informers.start()
  try {
    await Promise.all([informers.synced, fleet?.synced, scheduler?.synced])
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}
