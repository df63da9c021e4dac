import { expect, it } from 'vitest'
import { deployments, pods } from '../api/kinds.ts'
import { defaultFeatureGates } from '../api/machinery/feature-gates.ts'
import type { Deployment, KubernetesObject } from '../api/types.ts'
import { VirtualClock } from '../base/virtual-clock.ts'
import { startVirtualCluster } from './virtual-cluster.ts'

const managersOf = ({ metadata }: KubernetesObject) =>
  (metadata?.managedFields ?? []).map(({ manager, operation, subresource = '' }) => `${manager} ${operation} ${subresource}`.trim()).sort()

it('names the owners of fields as Kubernetes does, whichever controller writes', async () => {
  const clock = new VirtualClock()
  const onFailure = (what: string, error: unknown) => {
    throw new Error(what, { cause: error })
  }
  const cluster = await startVirtualCluster({ clock, seed: 1, gates: defaultFeatureGates, nodes: [{ count: 1 }], onFailure })
  await clock.runUntilSettled(cluster.startControllers())
  const labels = { app: 'x' }
  const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'x' }] } } }
  await cluster.client.create(deployments, 'default', { metadata: { name: 'a' }, spec } as Deployment)
  await clock.advance(60_000)
  const deployment = await cluster.client.get(deployments, { namespace: 'default', name: 'a' })
  expect(managersOf(deployment)).toEqual(['kube-controller-manager Update status', 'kubectl Update'])
  const [pod] = (await cluster.client.list(pods, { namespace: 'default' })).items
  expect(managersOf(pod!)).toEqual(['kube-controller-manager Update', 'kubelet Update status'])
  await cluster.stop()
})
