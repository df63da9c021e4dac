// Many Deployments on many nodes, which kubectl drains one after the other.

import { deployments, nodes as nodeKind } from '../../src/api/kinds.ts'
import { realClock } from '../../src/base/clock.ts'
import type { Client } from '../../src/client/client.ts'
import { countAvailable } from './available-pods.ts'
import { kubectlOf } from './kubectl.ts'

interface Fleet {
  readonly client: Client
  readonly kubeconfig: string
  /** By the label `app` of the pods. */
  readonly names: readonly string[]
}

/** What happened to the pods of a Deployment, and the same of all. */
export interface FleetDrain {
  readonly lowest: readonly number[]
  readonly peaks: readonly number[]
  /** How long fewer than `spec.replicas` pods were available, over all Deployments. */
  readonly belowSeconds: number
  /** By node. */
  readonly drainSeconds: readonly number[]
}

/** Drains every node in turn. Each is schedulable again before the next is drained. Rejects if a drain fails. */
export async function drainFleet({ client, kubeconfig, names }: Fleet, settled: () => Promise<unknown>): Promise<FleetDrain> {
  const kubectl = kubectlOf(kubeconfig)
  const counts = await Promise.all(
    names.map(async (name) => {
      const { spec } = await client.get(deployments, { namespace: 'default', name })
      return countAvailable(client, name, spec?.replicas)
    }),
  )
  const drainSeconds: number[] = []
  for (const { metadata } of (await client.list(nodeKind)).items) {
    const fromMs = realClock.now()
    const { code, text } = await kubectl('drain', metadata.name, '--ignore-daemonsets', '--timeout=120s')
    if (code !== 0) throw new Error(`kubectl drain ${metadata.name} failed: ${text}`)
    drainSeconds.push((realClock.now() - fromMs) / 1000)
    await kubectl('uncordon', metadata.name)
  }
  await settled()
  for (const count of counts) count.stop()
  return {
    lowest: counts.map((count) => count.lowest()),
    peaks: counts.map((count) => count.peak()),
    belowSeconds: counts.reduce((sum, count) => sum + count.belowMs(), 0) / 1000,
    drainSeconds,
  }
}
