import { afterEach, describe, expect, it } from 'vitest'
import { deployments, horizontalPodAutoscalers, pods, services } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { Deployment, HorizontalPodAutoscaler, Pod, Service } from '../../api/types.ts'
import { type ControllerBench, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startHorizontalPodAutoscalerController } from './horizontal-pod-autoscaler-controller.ts'

let bench: ControllerBench
afterEach(() => bench.stop())

const labels = { app: 'web' }
const web = { namespace: 'default', name: 'web' }

async function open(replicas: number, usage: string, spec: object = {}) {
  bench = await openControllerBench({ start: startHorizontalPodAutoscalerController })
  const container = { name: 'c', image: 'nginx', resources: { requests: { cpu: '100m' } } }
  const template = { metadata: { labels }, spec: { containers: [container] } }
  await bench.client.create(deployments, 'default', {
    metadata: { name: 'web' },
    spec: { replicas, selector: { matchLabels: labels }, template },
  } as unknown as Deployment)
  for (let index = 0; index < replicas; index++) {
    const metadata = { name: `web-${index}`, labels, ...(usage !== '' && { annotations: { 'rollcall.dev/usage': usage } }) }
    const pod = await bench.client.create(pods, 'default', { metadata, spec: template.spec } as Pod)
    await bench.report(pod, 'ready')
    const reported = await bench.client.get(pods, { namespace: 'default', name: metadata.name })
    const startTime = reported.metadata.creationTimestamp!
    await bench.client.updateStatus(pods, { ...reported, status: { ...reported.status, startTime } } as never)
  }
  // The CPU of a pod counts from one measurement after it became ready.
  bench.pass(60_000)
  await bench.client.create(horizontalPodAutoscalers, 'default', {
    metadata: { name: 'web' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      maxReplicas: 10,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
      ...spec,
    },
  } as HorizontalPodAutoscaler)
  await bench.settle()
}

const replicasOf = async () => (await bench.client.get(deployments, web)).spec?.replicas
const conditionsOf = async () =>
  (await bench.client.get(horizontalPodAutoscalers, web)).status?.conditions?.map(
    ({ type, status, reason }) => `${type}=${status} ${reason}`,
  )

describe('startHorizontalPodAutoscalerController()', () => {
  it('scales up when the pods use more than the target', async () => {
    await open(2, 'cpu=100m')
    expect(await replicasOf()).toBe(4)
    const { status } = await bench.client.get(horizontalPodAutoscalers, web)
    expect(status).toMatchObject({
      currentReplicas: 2,
      desiredReplicas: 4,
      currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 100, averageValue: '100m' } } }],
    })
    expect(await conditionsOf()).toEqual([
      'AbleToScale=True SucceededRescale',
      'ScalingActive=True ValidMetricFound',
      'ScalingLimited=False DesiredWithinRange',
    ])
    expect(await bench.events()).toContain(
      'SuccessfulRescale: New size: 4; reason: cpu resource utilization (percentage of request) above target',
    )
    expect(bench.failures).toEqual([])
  })

  it('scales down after five minutes of lower usage', async () => {
    await open(4, 'cpu=10m')
    expect(await replicasOf()).toBe(4)
    expect(await conditionsOf()).toContain('AbleToScale=True ScaleDownStabilized')
    for (let seconds = 0; seconds < 330; seconds += 15) {
      bench.pass(15_000)
      await bench.settle()
    }
    expect(await replicasOf()).toBe(1)
    expect(await bench.events()).toContain('SuccessfulRescale: New size: 1; reason: All metrics below target')
  })

  it('shares the load of a Service among its ready pods', async () => {
    await open(2, '')
    expect(await replicasOf()).toBe(2)
    await bench.client.create(services, 'default', {
      metadata: { name: 'web', annotations: { 'rollcall.dev/load': 'cpu=300m' } },
      spec: { selector: labels, ports: [{ port: 80 }] },
    } as Service)
    bench.pass(15_000)
    await bench.settle()
    // 150 % of the requests would take 6 replicas; in one step they double.
    expect(await replicasOf()).toBe(4)
  })

  it('reports a missing request and a missing target', async () => {
    await open(1, 'memory=1Gi', {
      metrics: [{ type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 50 } } }],
    })
    expect(await conditionsOf()).toContain('ScalingActive=False FailedGetResourceMetric')
    await bench.client.delete(deployments, web)
    bench.pass(15_000)
    await bench.settle()
    expect(await conditionsOf()).toContain('AbleToScale=False FailedGetScale')
  })

  it('reports every metric that cannot be read, and scales by the others', async () => {
    const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }
    const external = { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '1' } } }
    const memory = { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 50 } } }
    await open(1, 'cpu=100m', { metrics: [external, cpu, memory] })
    expect(await replicasOf()).toBe(2)
    const reasons = (await bench.events()).map((event) => event.slice(0, event.indexOf(':')))
    expect(reasons.sort()).toEqual(['FailedGetExternalMetric', 'FailedGetResourceMetric', 'SuccessfulRescale'])
  })

  it('names the kind of the first metric that failed', async () => {
    const containerResource = { name: 'cpu', container: 'other', target: { type: 'Utilization', averageUtilization: 50 } }
    await open(1, 'cpu=100m', { metrics: [{ type: 'ContainerResource', containerResource }] })
    expect(await bench.events()).toContain(
      'FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: failed to get other container metric value: ' +
        'failed to get cpu utilization: container other not found in Pod web-0',
    )
  })

  it('scales no pods that two autoscalers select', async () => {
    await open(1, 'cpu=100m', { maxReplicas: 1 })
    const { spec } = await bench.client.get(horizontalPodAutoscalers, web)
    await bench.client.create(horizontalPodAutoscalers, 'default', { metadata: { name: 'other' }, spec: { ...spec!, maxReplicas: 9 } })
    bench.pass(15_000)
    await bench.settle()
    expect(await replicasOf()).toBe(1)
    expect(await conditionsOf()).toContain('ScalingActive=False AmbiguousSelector')
    const message = 'pods by selector app=web are controlled by more than one HPA (e.g. [default/other default/web])'
    const events = await bench.events()
    expect(events).toContain(`AmbiguousSelector: ${message}`)
    expect(events).toContain(`FailedComputeMetricsReplicas: ${message}`)
  })

  it('reports a target that has no scale', async () => {
    await open(1, 'cpu=100m', { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'web' } })
    expect(await bench.events()).toEqual(['FailedGetScale: the server could not find the requested resource'])
  })

  it('brings the target within the least and the most replicas', async () => {
    await open(2, 'cpu=50m', { minReplicas: 3, maxReplicas: 5 })
    expect(await replicasOf()).toBe(3)
    expect(await bench.events()).toContain('SuccessfulRescale: New size: 3; reason: Current number of replicas below Spec.MinReplicas')
  })

  describe('custom resources', () => {
    const widgets: Kind = {
      ...deployments,
      scale: {
        replicas: (object) => (object as Deployment).spec?.replicas ?? 0,
        statusReplicas: () => 0,
        selector: (object) => object.metadata?.annotations?.['selector'] ?? '',
        setReplicas: () => {},
      },
    }
    const openWith = async (selector: string, apiVersion: string) => {
      bench = await openControllerBench({
        start: (parts) => startHorizontalPodAutoscalerController({ ...parts, kinds: { current: () => [widgets] } }),
      })
      await bench.client.create(deployments, 'default', {
        metadata: { name: 'web', annotations: { selector } },
        spec: {
          replicas: 2,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      } as unknown as Deployment)
      await bench.client.create(horizontalPodAutoscalers, 'default', {
        metadata: { name: 'web' },
        spec: { scaleTargetRef: { apiVersion, kind: 'Deployment', name: 'web' }, maxReplicas: 10 },
      } as HorizontalPodAutoscaler)
      await bench.settle()
    }

    it.each([
      ['are read in the version that the server has', 'app=web', 'apps/v1alpha1', 'ScalingActive=False FailedGetResourceMetric'],
      ['need a selector', '', 'apps/v1', 'ScalingActive=False InvalidSelector'],
      ['need a valid selector', 'a in', 'apps/v1', 'ScalingActive=False InvalidSelector'],
      ['are found by their group', 'app=web', 'other.example/v1', 'AbleToScale=False FailedGetScale'],
    ])('%s', async (_, selector, apiVersion, expected) => {
      await openWith(selector, apiVersion)
      expect(await conditionsOf()).toContain(expected)
    })
  })
})
