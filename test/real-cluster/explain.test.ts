// `rollcall explain` on a real kube-apiserver: its first line names the cause, whichever controllers run.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployments, namespaces, nodes as nodeKind, podDisruptionBudgets, pods, resourceQuotas } from '../../src/api/kinds.ts'
import type { Deployment } from '../../src/api/types.ts'
import { explained, explainedAs } from './explained.ts'
import { missing, type RealControlPlane, startRealControlPlane } from './real-control-plane.ts'
import { pause, type RunningCommand, run, until } from './running-command.ts'
import { complete, deployment, podsOf, podTemplate, rolledOut, setImage } from './workloads.ts'

const namespace = 'default'

describe.skipIf(missing !== undefined)(`rollcall explain${missing === undefined ? '' : ` (${missing})`}`, { timeout: 240_000 }, () => {
  let plane: RealControlPlane
  let manager: ChildProcess
  const running: RunningCommand[] = []

  const explain = (name: string, ...flags: readonly string[]) => explained(plane, `deployment/${name}`, ...flags)
  const firstLine = (name: string, wanted: RegExp, ...flags: readonly string[]) =>
    explainedAs(plane, `deployment/${name}`, wanted, ...flags)
  const create = (object: Deployment) => plane.client.create(deployments, object.metadata?.namespace ?? namespace, object)
  const change = (name: string, spec: object) => plane.client.patch(deployments, { namespace, name }, 'strategic', { spec })
  const withPods = (name: string, more: Parameters<typeof podTemplate>[1], choices: Parameters<typeof deployment>[1]): Deployment => {
    const plain = deployment(name, choices)
    return { ...plain, spec: { ...plain.spec!, template: podTemplate(name, more) } } as Deployment
  }

  beforeAll(async () => {
    plane = await startRealControlPlane()
    manager = await plane.startControllerManager()
    await plane.startScheduler()
    running.push(run(['nodes', '--kubeconfig', plane.kubeconfig, '--nodes', '2']))
    await until('the nodes are there', async () => (await plane.client.list(nodeKind)).items.length === 2)
  }, 120_000)

  afterAll(async () => {
    for (const one of running) await one.end('SIGKILL')
    await plane?.stop()
  })

  it('a quota that refuses', async () => {
    await plane.client.create(namespaces, undefined, { metadata: { name: 'small' } } as never)
    await plane.client.create(resourceQuotas, 'small', { metadata: { name: 'few' }, spec: { hard: { pods: '1' } } } as never)
    const plain = deployment('quota', { replicas: 2 })
    await until(
      'the quota is in effect',
      async () => (await plane.client.get(resourceQuotas, { namespace: 'small', name: 'few' })).status?.used,
    )
    await create({ ...plain, metadata: { ...plain.metadata, namespace: 'small' } } as Deployment)
    await firstLine('quota', /^deployment\/quota: ReplicaSet quota-\w+: FailedCreate: pods "quota-.*exceeded quota: few/, '-n', 'small')
  })

  it('a pod with a finalizer', async () => {
    await create(deployment('final', { replicas: 1 }))
    await rolledOut(plane.client, 'final')
    const [pod] = await podsOf(plane.client, 'final')
    const { name } = pod!.metadata
    const finalize = (finalizers: readonly string[] | null) =>
      plane.client.patch(pods, { namespace, name }, 'merge', { metadata: { finalizers } })
    await finalize(['example.com/hold'])
    await setImage(plane.client, 'final', 'example/web:2')
    await firstLine(
      'final',
      /^deployment\/final: it is complete; 1 terminating pod still exists: final-\S+ \(kept by finalizer example\.com\/hold;/,
    )
    await finalize(null)
  })

  it('a long preStop hook, without a policy and with one', async () => {
    const spec = {
      containers: [{ name: 'web', image: 'example/web:1', lifecycle: { preStop: { exec: { command: ['sleep', '300'] } } } }],
    }
    await create(withPods('hook', { graceSeconds: 600, spec }, { replicas: 1, strategy: { type: 'Recreate' } }))
    await rolledOut(plane.client, 'hook')
    await setImage(plane.client, 'hook', 'example/web:2')
    const line = await firstLine(
      'hook',
      /^deployment\/hook: it waits for 1 terminating pod: hook-\S+ \(the preStop hook of container web may run: /,
    )
    expect(line).toContain('of its grace period of 600s are left')
    expect(await explain('hook')).toContain('With podReplacementPolicy: TerminationComplete:')
  })

  it('an unschedulable pod', async () => {
    const containers = [{ name: 'web', image: 'example/web:1', resources: { requests: { cpu: '9000' } } }]
    await create(withPods('huge', { spec: { containers } }, { replicas: 1 }))
    await firstLine(
      'huge',
      /^deployment\/huge: it waits for 1 unavailable pod: huge-\S+ \(Unschedulable: 0\/2 nodes are available: .*Insufficient cpu/,
    )
  })

  it('a budget that blocks an eviction', async () => {
    await create(deployment('kept', { replicas: 1 }))
    await plane.client.create(podDisruptionBudgets, namespace, {
      metadata: { name: 'kept' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'kept' } } },
    } as never)
    await rolledOut(plane.client, 'kept')
    const node = (await podsOf(plane.client, 'kept'))[0]!.spec!.nodeName!
    const drain = spawn('kubectl', ['--kubeconfig', plane.kubeconfig, 'drain', node, '--pod-selector=app=kept', '--timeout=5s'])
    await once(drain, 'close')
    await firstLine(
      'kept',
      new RegExp(
        `^deployment/kept: it is complete; the drain of node ${node} waits: PodDisruptionBudget kept allows no eviction now: 1 of 1 pods`,
      ),
    )
    await plane.client.patch(nodeKind, { name: node }, 'merge', { spec: { unschedulable: null } })
  })

  it('a paused rollout', async () => {
    await create(deployment('paused', { replicas: 2 }))
    await rolledOut(plane.client, 'paused')
    await change('paused', { paused: true })
    await setImage(plane.client, 'paused', 'example/web:2')
    await firstLine('paused', /^deployment\/paused: it is paused in the middle of a rollout/)
  })

  it('a pending scale, with the controllers of Rollcall', async () => {
    manager.kill('SIGKILL')
    await plane.startControllerManager('*,-deployment-controller,-replicaset-controller')
    const lease = ['lease-duration=4s', 'renew-deadline=3s', 'retry-period=500ms'].map((setting) => `--leader-elect-${setting}`)
    const flags = ['--controllers', 'deployment,replicaset', '--no-preflight', '--health-address', '0', '--log-level', 'debug']
    const controllers = run(['controllers', '--kubeconfig', plane.kubeconfig, ...flags, ...lease])
    running.push(controllers)
    await controllers.prints('"leading"')
    const choices = {
      replicas: 3,
      annotations: complete,
      graceSeconds: 300,
      strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    }
    await create(deployment('scaled', choices))
    await rolledOut(plane.client, 'scaled')
    await change('scaled', { replicas: 1 })
    await until(
      'two terminate',
      async () => (await podsOf(plane.client, 'scaled')).filter(({ metadata }) => metadata.deletionTimestamp).length === 2,
    )
    await pause(1000)
    await change('scaled', { replicas: 3 })
    const line = await firstLine('scaled', /^deployment\/scaled: a scale to 3 is pending: it waits for 2 terminating pods: scaled-/)
    expect(line).toContain('of its grace period of 300s are left')
    const json = JSON.parse(await explain('scaled', '-o', 'json')) as { reasons: object; pods: readonly object[] }
    expect(json.reasons).toMatchObject({ replicas: 3, room: 0, scale: 'pending', terminating: 2 })
    expect(json.pods).toHaveLength(2)
    await controllers.prints('a scale is pending; waiting for 2 terminating pods since')
  })
})
