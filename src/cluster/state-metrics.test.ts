import { afterEach, describe, expect, it } from 'vitest'
import { jobs, pods, replicaSets } from '../api/kinds.ts'
import type { Job } from '../api/types.ts'
import { startDeploymentController } from '../controllers/deployment/deployment-controller.ts'
import { startJobController } from '../controllers/job/job-controller.ts'
import { startReplicaSetController } from '../controllers/replica-set/replica-set-controller.ts'
import { stateMetrics } from './state-metrics.ts'
import { type ControllerBench, openControllerBench } from './testing/controller-bench.ts'
import { type DeploymentSpec, playDeployment, rolling } from './testing/deployment-player.ts'

let bench: ControllerBench
let scrape: () => string
afterEach(() => bench.stop())

const open = async () => {
  bench = await openControllerBench({
    gates: { PodDeletionCost: false },
    start: (parts) => {
      scrape = stateMetrics(parts)
      return [startDeploymentController(parts), startReplicaSetController(parts), startJobController(parts)]
    },
  })
}
const read = (name: string, ...labels: readonly string[]) => {
  const line = scrape()
    .split('\n')
    .find((one) => one.startsWith(`${name}{`) && labels.every((label) => one.includes(label)))
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1))
}

describe('stateMetrics()', () => {
  it('reports what a pending scale owes, how long it waits, and the terminating pods', async () => {
    await open()
    const web = playDeployment(bench)
    await web.create({ replicas: 5, strategy: rolling(0, 1), podReplacementPolicy: 'TerminationComplete' } as DeploymentSpec)
    await web.rollOut(5)
    await bench.settle()
    const about = 'deployment="web"'
    expect(read('rollcall_deployment_pending_scale_replicas', about)).toBe(0)
    expect(read('rollcall_deployment_termination_wait_seconds', about)).toBeUndefined()
    await web.change({ replicas: 3 })
    await bench.settle()
    await web.change({ replicas: 5 })
    await bench.settle()
    bench.pass(90_000)
    await bench.settle()
    expect(read('rollcall_deployment_pending_scale_replicas', about)).toBe(2)
    expect(read('rollcall_deployment_termination_wait_seconds', about)).toBeGreaterThanOrEqual(90)
    expect(read('kube_deployment_status_replicas_terminating', about)).toBe(2)
    expect(read('kube_replicaset_status_terminating_replicas', 'replicaset="web-')).toBe(2)
    await web.rollOut(5)
    await bench.settle()
    expect(read('rollcall_deployment_pending_scale_replicas', about)).toBe(0)
    expect(read('rollcall_deployment_termination_wait_seconds', about)).toBeUndefined()
  })

  it('reports how long a Deployment waits for the pods of a ReplicaSet that was deleted under it', async () => {
    await open()
    const web = playDeployment(bench)
    await web.create({ replicas: 2, strategy: rolling(0, 1), podReplacementPolicy: 'TerminationComplete' } as DeploymentSpec)
    await web.rollOut(2)
    await bench.settle()
    const [set] = (await bench.client.list(replicaSets, { namespace: 'default' })).items
    const own = await bench.podsOf()
    await bench.client.delete(replicaSets, { namespace: 'default', name: set!.metadata.name }, { propagationPolicy: 'Background' })
    for (const { metadata } of own) await bench.client.delete(pods, { namespace: 'default', name: metadata.name })
    await bench.settle()
    bench.pass(90_000)
    await bench.settle()
    expect(read('kube_deployment_status_replicas_terminating', 'deployment="web"')).toBe(2)
    expect(read('rollcall_deployment_termination_wait_seconds', 'deployment="web"')).toBeGreaterThanOrEqual(90)
  })

  it('reports conditions, as kube-state-metrics does', async () => {
    await open()
    const web = playDeployment(bench)
    await web.create({ replicas: 1 })
    await web.rollOut(1)
    await bench.settle()
    for (const [kind, condition] of [
      ['deployment', 'Operational'],
      ['deployment', 'Progressing'],
      ['replicaset', 'Operational'],
    ]) {
      expect(read(`kube_${kind}_status_condition`, `condition="${condition}"`, 'status="true"')).toBe(1)
      expect(read(`kube_${kind}_status_condition`, `condition="${condition}"`, 'status="false"')).toBe(0)
      expect(read(`kube_${kind}_status_condition`, `condition="${condition}"`, 'status="unknown"')).toBe(0)
    }
  })

  it('reports the terminating pods of Jobs', async () => {
    await open()
    await bench.client.create(jobs, 'default', {
      metadata: { name: 'a' },
      spec: { parallelism: 2, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } } },
    } as Job)
    await bench.settle()
    const [pod] = await bench.podsOf()
    await bench.report(pod!, 'ready')
    await bench.client.delete(pods, { namespace: 'default', name: pod!.metadata.name })
    await bench.until('it is counted', () => read('kube_job_status_terminating', 'job_name="a"') === 1)
    expect(read('kube_job_status_condition', 'job="a"', 'condition="Waiting"', 'status="true"')).toBeDefined()
  })

  it('reports the feature gates with their stages', async () => {
    await open()
    expect(read('kubernetes_feature_enabled', 'name="DeploymentPodReplacementPolicy"', 'stage="ALPHA"')).toBe(1)
    expect(read('kubernetes_feature_enabled', 'name="JobPodReplacementPolicy"', 'stage=""')).toBe(1)
    expect(read('kubernetes_feature_enabled', 'name="PodDeletionCost"', 'stage="BETA"')).toBe(0)
  })
})
