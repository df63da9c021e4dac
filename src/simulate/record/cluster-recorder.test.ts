import { describe, expect, it } from 'vitest'
import type { Resource } from '../../api/machinery/kind.ts'
import { failure } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { VirtualClock } from '../../base/virtual-clock.ts'
import type { Client, WatchHandlers } from '../../client/client.ts'
import { ClusterRecorder } from './cluster-recorder.ts'

type Plain = KubernetesObject & { metadata: Record<string, unknown> }

/** A small server: it lists its objects and sends the given watch events. It accepts only reads. */
class PlayedServer {
  readonly objects = new Map<string, Plain[]>()
  readonly forbidden = new Set<string>()
  readonly watches = new Map<string, WatchHandlers<never>>()
  readonly asked: string[] = []
  version = 1

  readonly client = {
    list: async (resource: Resource) => {
      this.asked.push(`list ${resource.plural}`)
      if (this.forbidden.has(resource.plural)) throw failure(403, 'Forbidden', `${resource.plural} is forbidden`)
      return { items: this.objects.get(resource.plural) ?? [], resourceVersion: String(this.version) }
    },
    watch: (resource: Resource, _: unknown, handlers: WatchHandlers<never>) => {
      this.asked.push(`watch ${resource.plural}`)
      this.watches.set(resource.plural, handlers)
      return () => this.watches.delete(resource.plural)
    },
  } as unknown as Client

  put(plural: string, object: Plain, type: 'ADDED' | 'MODIFIED' | 'DELETED' = 'MODIFIED', isTold = true): void {
    object = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.version) } }
    const others = (this.objects.get(plural) ?? []).filter(({ metadata }) => metadata['uid'] !== object.metadata['uid'])
    this.objects.set(plural, type === 'DELETED' ? others : [...others, object])
    if (isTold) this.watches.get(plural)?.onEvents([{ type, object }] as never)
  }
}

const deployment = (generation: number, replicas: number, status: object) => ({
  kind: 'Deployment',
  metadata: { uid: 'd', name: 'web', namespace: 'default', generation },
  spec: { replicas, strategy: { rollingUpdate: { maxSurge: '25%' } }, podReplacementPolicy: 'TerminationComplete' },
  status,
})
const settled = (generation: number, replicas: number) =>
  deployment(generation, replicas, {
    observedGeneration: generation,
    replicas,
    updatedReplicas: replicas,
    availableReplicas: replicas,
    conditions: [{ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' }],
  })
const set = {
  kind: 'ReplicaSet',
  metadata: { uid: 's', name: 'web-1', namespace: 'default', ownerReferences: [{ controller: true, uid: 'd', kind: 'Deployment' }] },
}
const pod = (name: string, more: object = {}) => ({
  metadata: { uid: name, name, namespace: 'default', ownerReferences: [{ controller: true, uid: 's', kind: 'ReplicaSet' }], ...more },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
})

async function startRecorder(server: PlayedServer) {
  const clock = new VirtualClock()
  const notices: string[] = []
  server.put('deployments', settled(1, 1) as never)
  server.put('replicasets', set as never)
  server.put('pods', pod('a') as never)
  const recorder = await ClusterRecorder.start({
    client: server.client,
    clock,
    namespace: 'default',
    workloads: [{ kind: 'Deployment', name: 'web' }],
    selector: [],
    onNotice: (line) => notices.push(line),
  })
  return { recorder, clock, notices }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('ClusterRecorder', () => {
  it('keeps what changes, with its time, and nothing of others', async () => {
    const server = new PlayedServer()
    const { recorder, clock } = await startRecorder(server)
    await clock.advance(1000)
    server.put('deployments', deployment(2, 2, { observedGeneration: 1 }) as never)
    server.put('pods', pod('b') as never, 'ADDED')
    server.put('pods', { ...pod('stranger'), metadata: { uid: 'x', name: 'x', namespace: 'default' } } as never, 'ADDED')
    await clock.advance(500)
    server.put('pods', pod('a') as never, 'DELETED')
    const { changes, ...trace } = recorder.end()
    expect(trace).toEqual({
      format: 'rollcall.trace/1',
      source: 'cluster',
      startedAt: '2026-01-01T00:00:00Z',
      endMs: 1500,
      title: 'Deployment default/web',
      policy: 'TerminationComplete',
    })
    expect(changes.filter(({ atMs }) => atMs > 0)).toMatchObject([
      { atMs: 1000, step: 'Deployment/web: replicas=2' },
      { atMs: 1000, workload: { replicas: 2, cap: 3 } },
      { atMs: 1000, pod: { uid: 'b' } },
      { atMs: 1500, gone: { type: 'pod', id: 'a' } },
    ])
  })

  it('finds what it missed when the server has no history any more', async () => {
    const server = new PlayedServer()
    const { recorder, clock } = await startRecorder(server)
    server.put('pods', pod('a') as never, 'DELETED', false)
    server.put('pods', pod('c') as never, 'ADDED', false)
    await clock.advance(2000)
    server.watches.get('pods')!.onEnd(failure(410, 'Expired', 'too old resource version'))
    await settle()
    server.put('pods', pod('d') as never, 'ADDED')
    expect(recorder.end().changes.filter(({ atMs }) => atMs > 0)).toMatchObject([
      { atMs: 2000, pod: { uid: 'c' } },
      { atMs: 2000, gone: { type: 'pod', id: 'a' } },
      { atMs: 2000, pod: { uid: 'd' } },
    ])
  })

  it('reports a watch that breaks off once, and continues', async () => {
    const server = new PlayedServer()
    const { recorder, clock, notices } = await startRecorder(server)
    server.watches.get('pods')!.onEnd(new Error('ECONNRESET'))
    await clock.advance(1000)
    await settle()
    server.put('pods', pod('e') as never, 'ADDED')
    expect(notices).toEqual(['the watch of pods broke off, and is tried again: ECONNRESET'])
    expect(recorder.end().changes.at(-1)).toMatchObject({ pod: { uid: 'e' } })
  })

  it('only reads', async () => {
    const server = new PlayedServer()
    const { recorder } = await startRecorder(server)
    recorder.end()
    expect(new Set(server.asked.map((line) => line.split(' ')[0]))).toEqual(new Set(['list', 'watch']))
    expect(server.watches.size).toBe(0)
  })

  it('leaves out what it may not read, but not the pods', async () => {
    const server = new PlayedServer()
    server.forbidden.add('nodes')
    const { notices } = await startRecorder(server)
    expect(notices).toEqual(['without nodes: nodes is forbidden'])
    const other = new PlayedServer()
    other.forbidden.add('pods')
    await expect(startRecorder(other)).rejects.toThrow('pods is forbidden')
  })

  it('is complete when a rollout has started and completed, and its last old pod has terminated', async () => {
    const server = new PlayedServer()
    const { recorder } = await startRecorder(server)
    expect(recorder.isComplete).toBe(false)
    server.put('deployments', deployment(2, 2, { observedGeneration: 1 }) as never)
    expect(recorder.isComplete).toBe(false)
    server.put('pods', pod('a', { deletionTimestamp: '2026-01-01T00:00:00Z' }) as never)
    server.put('deployments', settled(2, 2) as never)
    expect(recorder.isComplete).toBe(false)
    server.put('pods', pod('a') as never, 'DELETED')
    expect(recorder.isComplete).toBe(true)
    recorder.end()
  })
})
