// `rollcall explain` of ReplicaSets, StatefulSets, DaemonSets, Jobs and pods on a real kube-apiserver, with the controllers of Kubernetes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { daemonSets, jobs, namespaces, nodes as nodeKind, pods, replicaSets, resourceQuotas, statefulSets } from '../../src/api/kinds.ts'
import { explainedAs } from './explained.ts'
import { missing, type RealControlPlane, startRealControlPlane } from './real-control-plane.ts'
import { type RunningCommand, run, until } from './running-command.ts'
import { isTerminating, podsOf, podTemplate } from './workloads.ts'

const namespace = 'default'
const quoted = 'small'

describe.skipIf(missing !== undefined)(
  `rollcall explain, of other kinds${missing === undefined ? '' : ` (${missing})`}`,
  { timeout: 240_000 },
  () => {
    let plane: RealControlPlane
    const running: RunningCommand[] = []
    const firstLine = (object: string, wanted: RegExp, ...flags: readonly string[]) => explainedAs(plane, object, wanted, ...flags)
    const named = (name: string, spec: object, where = namespace) =>
      ({
        metadata: { name, namespace: where },
        spec: { selector: { matchLabels: { app: name } }, template: podTemplate(name), ...spec },
      }) as never
    const finalize = (name: string, finalizers: readonly string[] | null) =>
      plane.client.patch(pods, { namespace, name }, 'merge', { metadata: { finalizers } })
    const huge = (app: string) =>
      podTemplate(app, { spec: { containers: [{ name: 'web', image: 'example/web:1', resources: { requests: { cpu: '9000' } } }] } })
    const readyPods = (app: string, count: number) =>
      until(`${count} pods of ${app} are ready`, async () => {
        const found = await podsOf(plane.client, app)
        const isReady = ({ status }: (typeof found)[number]) =>
          status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')
        return found.filter(isReady).length === count && found
      })

    beforeAll(async () => {
      plane = await startRealControlPlane()
      await plane.startControllerManager()
      await plane.startScheduler()
      running.push(run(['nodes', '--kubeconfig', plane.kubeconfig, '--nodes', '2']))
      await until('the nodes are there', async () => (await plane.client.list(nodeKind)).items.length === 2)
      await plane.client.create(namespaces, undefined, { metadata: { name: quoted } } as never)
      await plane.client.create(resourceQuotas, quoted, { metadata: { name: 'few' }, spec: { hard: { pods: '1' } } } as never)
      await until(
        'the quota is in effect',
        async () => (await plane.client.get(resourceQuotas, { namespace: quoted, name: 'few' })).status?.used,
      )
    }, 120_000)

    afterAll(async () => {
      for (const one of running) await one.end('SIGKILL')
      await plane?.stop()
    })

    it('a quota that refuses a pod of a ReplicaSet, a StatefulSet, a DaemonSet and a Job', async () => {
      const refused = /^\w+\/\w+: FailedCreate: .*forbidden: exceeded quota: few/
      await plane.client.create(replicaSets, quoted, named('set', { replicas: 2 }, quoted))
      await firstLine('replicaset/set', refused, '-n', quoted)
      await plane.client.create(statefulSets, quoted, named('state', { replicas: 1, serviceName: 'state' }, quoted))
      await firstLine('statefulset/state', refused, '-n', quoted)
      await plane.client.create(daemonSets, quoted, named('daemon', {}, quoted))
      await firstLine('daemonset/daemon', refused, '-n', quoted)
      const { template } = { template: { ...podTemplate('job'), spec: { ...podTemplate('job').spec, restartPolicy: 'Never' } } }
      await plane.client.create(jobs, quoted, { metadata: { name: 'job', namespace: quoted }, spec: { template } } as never)
      await firstLine('job/job', refused, '-n', quoted)
    })

    it('the pod of a StatefulSet that holds up the others', async () => {
      const template = huge('db')
      await plane.client.create(statefulSets, namespace, named('db', { replicas: 2, serviceName: 'db', template }))
      await firstLine(
        'statefulset/db',
        /^statefulset\/db: it waits for 1 unavailable pod: db-0 \(Unschedulable: 0\/2 nodes are available: .*Insufficient cpu/,
      )
      await firstLine('pod/db-0', /^pod\/db-0: it is unavailable: Unschedulable: .*Insufficient cpu/)
      const waiting = run(['wait', 'statefulset/db', '--kubeconfig', plane.kubeconfig, '--timeout', '2s'])
      expect(await waiting.ended).toBe(1)
      expect(waiting.output()).toMatch(/statefulset\/db: it waits for 1 unavailable pod: db-0 \(Unschedulable: .*Insufficient cpu/)
    })

    it('the terminating pod whose name the next one of a StatefulSet has', async () => {
      await plane.client.create(statefulSets, namespace, named('named', { replicas: 2, serviceName: 'named' }))
      await readyPods('named', 2)
      await finalize('named-1', ['example.com/hold'])
      await plane.client.delete(pods, { namespace, name: 'named-1' })
      await firstLine(
        'statefulset/named',
        /^statefulset\/named: it waits for 1 terminating pod: named-1 \(kept by finalizer example\.com\/hold; (its containers have ended|its grace period ended )/,
      )
      await firstLine('pod/named-1', /^pod\/named-1: it is terminating: kept by finalizer example\.com\/hold/)
      await finalize('named-1', null)
      await firstLine('statefulset/named', /^statefulset\/named: it is complete\.$/)
    })

    it('the terminating pod that a DaemonSet replaces', async () => {
      const template = podTemplate('agent', { graceSeconds: 300 })
      await plane.client.create(daemonSets, namespace, named('agent', { template }))
      await readyPods('agent', 2)
      await plane.client.patch(daemonSets, { namespace, name: 'agent' }, 'strategic', {
        spec: { template: { spec: { containers: [{ name: 'web', image: 'example/web:2' }] } } },
      })
      await firstLine(
        'daemonset/agent',
        /^daemonset\/agent: it waits for 1 terminating pod: agent-\w+ \(\d+[sm] of its grace period of 300s are left/,
      )
    })

    it('the terminating pod that a Job does not replace before it has terminated', async () => {
      const template = podTemplate('task', { graceSeconds: 300, spec: { restartPolicy: 'Never' } })
      const spec = { completions: 1, podReplacementPolicy: 'Failed', template }
      await plane.client.create(jobs, namespace, { metadata: { name: 'task', namespace }, spec } as never)
      const [pod] = await readyPods('task', 1)
      await firstLine('job/task', /^job\/task: it runs: 1 active pod, 0 of 1 succeeded\.$/)
      await plane.client.delete(pods, { namespace, name: pod!.metadata.name })
      await until('it terminates', async () => (await podsOf(plane.client, 'task')).some(isTerminating))
      await firstLine('job/task', /^job\/task: it waits for 1 terminating pod: task-\w+ \(\d+[sm] of its grace period of 300s are left/)
    })

    it('a ReplicaSet that is complete, and an unknown one', async () => {
      await plane.client.create(replicaSets, namespace, named('plain', { replicas: 1 }))
      await readyPods('plain', 1)
      await firstLine('replicaset/plain', /^replicaset\/plain: it is complete\.$/)
      const unknown = run(['explain', 'replicaset/plan', '--kubeconfig', plane.kubeconfig])
      expect(await unknown.ended).toBe(1)
      expect(unknown.output()).toContain('ReplicaSet/plan does not exist in namespace default. Did you mean plain?')
    })
  },
)
