// The ReplicaSet controller on a bench, and what tests do with its set `a`.
import { afterEach } from 'vitest'
import { pods, replicaSets } from '../../../api/kinds.ts'
import type { Pod, ReplicaSet, Stored } from '../../../api/types.ts'
import { type ControllerBench, type ControllerBenchOptions, openControllerBench } from '../../../cluster/testing/controller-bench.ts'
import { startReplicaSetController, startReplicationControllerController } from '../replica-set-controller.ts'

let opened: ControllerBench | undefined

export async function open(options: Partial<ControllerBenchOptions> = {}): Promise<void> {
  opened = await openControllerBench({
    gates: { ExtendedWorkloadConditions: false },
    start: (parts) => [startReplicaSetController(parts), startReplicationControllerController(parts)],
    ...options,
  })
}
afterEach(() => opened?.stop())

/** The bench of the current test. */
export const bench = (): ControllerBench => opened!

export const template = (labels: Readonly<Record<string, string>> = { app: 'x' }) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'nginx' }] },
})
export type Spec = Partial<NonNullable<ReplicaSet['spec']>>
export const createSet = (spec: Spec = {}) =>
  bench().client.create(replicaSets, 'default', {
    metadata: { name: 'a' },
    spec: { selector: { matchLabels: { app: 'x' } }, template: template(), ...spec },
  } as ReplicaSet)
export const createPod = (name: string, more: Partial<NonNullable<Pod['metadata']>> = {}) =>
  bench().client.create(pods, 'default', { metadata: { name, labels: { app: 'x' }, ...more }, spec: template().spec })
export const readSet = () => bench().client.get(replicaSets, { namespace: 'default', name: 'a' })
export const patchSet = (patch: object) => bench().client.patch(replicaSets, { namespace: 'default', name: 'a' }, 'merge', patch)
export const patchPod = (name: string, patch: object) => bench().client.patch(pods, { namespace: 'default', name }, 'merge', patch)
export const untilStatus = (status: NonNullable<ReplicaSet['status']>) =>
  bench().until(`the status is ${JSON.stringify(status)}`, async () => {
    const set = await readSet()
    const isSo = Object.entries(status).every(
      ([field, value]) => ((set.status as unknown as Record<string, unknown>)[field] ?? 0) === value,
    )
    return isSo && set.status?.observedGeneration === set.metadata.generation ? set : undefined
  })
export const activePods = async () => (await bench().podsOf()).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
export const names = (list: readonly Stored<Pod>[]) => list.map(({ metadata }) => metadata.name)
export const reportAll = async (node?: string) => {
  for (const pod of await bench().podsOf()) await bench().report(pod, 'ready', node)
}
