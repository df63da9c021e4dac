// What the proposals promise, on a real kube-apiserver whose own workload controllers are off. The fields that it does not
// know are annotations. Pods are counted at every watch event.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { daemonSets, deployments, events, jobs, pods, replicaSets, replicationControllers, statefulSets } from '../../src/api/kinds.ts'
import type { HttpClient } from '../../src/client/http-client.ts'
import { chartRules, grantedRules, installationNamespace, permissionsOf, requestedPermissions } from './chart-rules.ts'
import { addOtherWorkloads } from './other-workloads.ts'
import { countPods } from './pod-count.ts'
import { missing, type RealControlPlane, serviceAccount, startRealControlPlane, withoutWorkloadControllers } from './real-control-plane.ts'
import { type RunningCommand, runControllers, runNodes, until } from './running-command.ts'
import { openScalingTable } from './scaling-tables.ts'
import {
  complete,
  conditionOf,
  deployment,
  endPod,
  isTerminating,
  podsOf,
  podTemplate,
  policyAnnotation,
  rolledOut,
  setImage,
  setsOf,
} from './workloads.ts'

const namespace = 'default'
/** Longer than any test: a terminating pod stays until the test ends it. */
const forEver = 3600
const rolling = (maxSurge: number, maxUnavailable: number) => ({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } })
const recreate = { type: 'Recreate' }

describe.skipIf(missing !== undefined)(
  `the proposals on a real kube-apiserver${missing === undefined ? '' : ` (${missing})`}`,
  { timeout: 240_000 },
  () => {
    let plane: RealControlPlane
    let client: HttpClient
    let controllers: RunningCommand
    let nodes: RunningCommand

    beforeAll(async () => {
      plane = await startRealControlPlane()
      client = plane.client
      // Every 20 seconds the collector of pods would end the terminating pods that have no node, which the tests end themselves.
      await plane.startControllerManager(`${withoutWorkloadControllers},-pod-garbage-collector-controller`)
      nodes = runNodes(plane.kubeconfig, '--missing-image', 'example/missing:1')
      await kubectlApply(grantedRules())
      // As the chart installs them: with its rules, and no others.
      controllers = runControllers(plane.kubeconfigOf(serviceAccount), '--leader-elect-resource-namespace', installationNamespace)
      await controllers.prints('"leading"')
    }, 240_000)

    afterAll(async () => {
      await controllers?.end('SIGKILL')
      await nodes?.end('SIGKILL')
      await plane?.stop()
    })

    const kubectl = (...args: readonly string[]) => kubectlWith('', ...args)
    const kubectlApply = (objects: readonly object[]) =>
      kubectlWith(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }), 'apply', '-f', '-')
    const kubectlWith = async (input: string, ...args: readonly string[]): Promise<string> => {
      const child = spawn('kubectl', ['--kubeconfig', plane.kubeconfig, ...args], { env: { ...process.env, HOME: plane.folder } })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
      child.stdin.end(input)
      const [code] = (await once(child, 'close')) as [number]
      expect(code, output).toBe(0)
      return output
    }
    const read = (name: string) => client.get(deployments, { namespace, name })
    const endTerminating = async (app: string) => {
      for (const { metadata } of (await podsOf(client, app)).filter(isTerminating)) await endPod(client, metadata.name).catch(() => {})
    }
    const eventsOf = async (name: string, reason: string) =>
      (await client.list(events, { namespace, fieldSelector: `regarding.name=${name},reason=${reason}` })).items

    describe('scenarios', { concurrent: true }, () => {
      describe('both strategies, both policies and none', () => {
        it.each([
          // Pods that never end on their own are replaced all the same: 5 old and 5 new ones.
          ['rolling', 'none', rolling(2, 1), undefined, forEver, 10],
          ['rolling', 'TerminationStarted', rolling(2, 1), 'TerminationStarted', forEver, 10],
          ['rolling', 'TerminationComplete', rolling(2, 1), 'TerminationComplete', 1, 7],
          // Kubernetes without a policy waits until no old pod runs.
          ['recreate', 'none', recreate, undefined, 1, 5],
          ['recreate', 'TerminationStarted', recreate, 'TerminationStarted', forEver, 10],
          ['recreate', 'TerminationComplete', recreate, 'TerminationComplete', 1, 5],
        ])('%s, %s: so many pods at most', async (strategyName, policyName, strategy, policy, graceSeconds, expected) => {
          const name = `${strategyName}-${policyName}`.toLowerCase()
          const annotations: Record<string, string> = policy === undefined ? {} : { [policyAnnotation]: policy }
          const count = await countPods(client, name)
          await client.create(deployments, namespace, deployment(name, { replicas: 5, annotations, strategy, graceSeconds }))
          await rolledOut(client, name)
          await setImage(client, name, 'example/web:2')
          await rolledOut(client, name)
          await endTerminating(name)
          await until(`no pod of ${name} terminates`, async () => (await read(name)).status?.terminatingReplicas === 0)
          count.stop()
          expect(count.peak).toBeLessThanOrEqual(expected)
          expect(count.peak).toBeGreaterThanOrEqual(graceSeconds === forEver ? expected : 5)
          // 5 of each revision: none was created twice.
          expect(count.observed.size).toBe(10)
        })
      })

      it('waits for terminating pods, says so, and does not call the rollout complete before they have terminated', async () => {
        const name = 'waiting'
        const strategy = rolling(0, 1)
        await client.create(
          deployments,
          namespace,
          deployment(name, { replicas: 3, annotations: complete, strategy, graceSeconds: forEver }),
        )
        await rolledOut(client, name)
        const count = await countPods(client, name)
        await setImage(client, name, 'example/web:2')
        await until('it says what it waits for', async () => {
          const { status } = await read(name)
          return (await eventsOf(name, 'WaitingForTermination')).length > 0 && status?.terminatingReplicas === 1
        })
        for (let left = 3; left > 0; left--) {
          await until('a pod terminates', async () => (await podsOf(client, name)).some(isTerminating))
          const progressing = conditionOf((await read(name)) as never, 'Progressing')
          expect(progressing?.status).toBe('True')
          expect(['NewReplicaSetCreated', 'ReplicaSetUpdated']).toContain(progressing?.reason)
          const [pod] = (await podsOf(client, name)).filter(isTerminating)
          await endPod(client, pod!.metadata.name)
          await until(
            'it has terminated',
            async () => !(await podsOf(client, name)).some(({ metadata }) => metadata.uid === pod!.metadata.uid),
          )
        }
        await rolledOut(client, name)
        count.stop()
        expect(count.peak).toBe(3)
      })

      it('scales in proportion, the first table: T1 60/30/20, T2 71/35/24, T3 76/38/26', async () => {
        const table = await openScalingTable(client, 'first-table', [60, 30, 20])
        await table.scale(120)
        await table.reaches([71, 35, 24], [undefined, undefined, undefined])
        await table.scale(130)
        await table.reaches([76, 38, 26], [undefined, undefined, undefined])
        table.stop()
      })

      it('scales in proportion, the second table: T1 50/30/20, T2 59/35/21, T3 66/35/24, T4 71/35/24', async () => {
        const table = await openScalingTable(client, 'second-table', [50, 30, 20], { terminating: 15, isComplete: true })
        await table.scale(120)
        await table.reaches([59, 35, 21], ['50', undefined, '20'])
        await table.leaveTerminating(5)
        await table.reaches([66, 35, 24], ['50', undefined, undefined])
        await table.leaveTerminating(0)
        await table.reaches([71, 35, 24], [undefined, undefined, undefined])
        table.stop()
        expect(table.peak()).toBe(130)
      })

      it('scales in proportion, the third table: T2 59/35/21, T3 66/38/21, T4 72/38/25, T5 77/38/25', async () => {
        const table = await openScalingTable(client, 'third-table', [50, 30, 20], { terminating: 15, isComplete: true })
        await table.scale(120)
        await table.reaches([59, 35, 21], ['50', undefined, '20'])
        await table.scale(130)
        await table.reaches([66, 38, 21], [expect.any(String), undefined, expect.any(String)] as never)
        await table.leaveTerminating(5)
        await table.reaches([72, 38, 25], [expect.any(String), undefined, undefined] as never)
        await table.leaveTerminating(0)
        await table.reaches([77, 38, 25], [undefined, undefined, undefined])
        table.stop()
        expect(table.peak()).toBe(140)
      })

      it('keeps the annotations through kubectl rollout undo', async () => {
        const name = 'undone'
        const annotations = { ...complete, 'rollcall.dev/operational-threshold': '50%' }
        await client.create(deployments, namespace, deployment(name, { replicas: 3, strategy: rolling(1, 0) }))
        await rolledOut(client, name)
        await setImage(client, name, 'example/web:2')
        await rolledOut(client, name)
        await client.patch(deployments, { namespace, name }, 'merge', { metadata: { annotations } })
        await until('the sets have the annotations', async () =>
          (await setsOf(client, name)).every(({ metadata }) => metadata.annotations?.[policyAnnotation] === 'TerminationComplete'),
        )
        await until('no pod terminates', async () => !(await podsOf(client, name)).some(isTerminating))
        const count = await countPods(client, name)
        await kubectl('rollout', 'undo', `deployment/${name}`)
        // As a kubectl that does not know the annotation of a pending scale copies it.
        await kubectl('annotate', `deployment/${name}`, 'deployment.kubernetes.io/replicaset-replicas-before-scale=7')
        expect(await kubectl('rollout', 'status', `deployment/${name}`, '--timeout=120s')).toContain('successfully rolled out')
        const { metadata, spec } = await rolledOut(client, name)
        count.stop()
        expect(count.peak).toBeLessThanOrEqual(4)
        expect(spec?.template?.spec?.containers[0]?.image).toBe('example/web:1')
        for (const owner of [metadata, ...(await setsOf(client, name)).map((set) => set.metadata)]) {
          expect(owner.annotations).toMatchObject(annotations)
          expect(owner.annotations).not.toHaveProperty(['deployment.kubernetes.io/replicaset-replicas-before-scale'])
        }
      })

      it.each([
        ['waits for an evicted pod under terminating-as-active', { 'rollcall.dev/terminating-as-active': 'true' }, 3],
        ['replaces an evicted pod at once without it', {}, 4],
      ])('%s', async (_title, annotations: Record<string, string>, expected) => {
        const name = `evicted-${expected}`
        await client.create(deployments, namespace, deployment(name, { replicas: 3, annotations, graceSeconds: forEver }))
        await rolledOut(client, name)
        const count = await countPods(client, name)
        const [victim] = await podsOf(client, name)
        const ref = { namespace, name: victim!.metadata.name }
        await client.createSubresource(pods, ref, 'eviction', { apiVersion: 'policy/v1', kind: 'Eviction', metadata: ref })
        await until('the pod is counted as terminating', async () => {
          const { status } = await read(name)
          return status?.terminatingReplicas === 1 && status.replicas === expected - 1
        })
        await endPod(client, ref.name)
        await rolledOut(client, name)
        count.stop()
        expect(count.peak).toBe(expected)
      })

      it.each([
        ['TerminatingOrFailed', 2],
        ['Failed', 1],
      ] as const)('a Job with podReplacementPolicy %s has so many pods: %i', async (podReplacementPolicy, expected) => {
        const name = `job-${podReplacementPolicy.toLowerCase()}`
        const count = await countPods(client, name)
        await client.create(jobs, namespace, {
          metadata: { name },
          spec: { podReplacementPolicy, template: podTemplate(name, { graceSeconds: forEver, spec: { restartPolicy: 'Never' } }) },
        } as never)
        const readJob = () => client.get(jobs, { namespace, name })
        await until('its pod runs', async () => conditionOf((await readJob()) as never, 'Running')?.status === 'True')
        const [pod] = await podsOf(client, name)
        await client.delete(pods, { namespace, name: pod!.metadata.name })
        await until('the pod is counted', async () => {
          const { status } = await readJob()
          return status?.terminating === 1 && (status.active ?? 0) === expected - 1
        })
        await endPod(client, pod!.metadata.name)
        await until('its replacement runs', async () => {
          const { status } = await readJob()
          return (status?.terminating ?? 0) === 0 && status?.active === 1 && status.ready === 1
        })
        count.stop()
        expect(count.peak).toBe(expected)
      })

      it('a Job waits, runs and completes', async () => {
        const name = 'sums'
        await client.create(jobs, namespace, {
          metadata: { name },
          spec: {
            completions: 3,
            parallelism: 2,
            template: {
              metadata: { labels: { app: name } },
              spec: { restartPolicy: 'Never', containers: [{ name: 'sum', image: 'example/sum:1', command: ['sh', '-c', 'sleep 1'] }] },
            },
          },
        } as never)
        await kubectl('wait', '--for=condition=Running', `job/${name}`, '--timeout=120s')
        await kubectl('wait', '--for=condition=Complete', `job/${name}`, '--timeout=120s')
        const job = await client.get(jobs, { namespace, name })
        expect(job.status).toMatchObject({ succeeded: 3, terminating: 0 })
        expect(conditionOf(job as never, 'Running')?.status).toBe('False')
      })

      it('gives every kind of workload the conditions of KEP-2804', async () => {
        const app = 'conditions'
        const template = podTemplate(app)
        const selector = { matchLabels: { app } }
        const metadata = { name: app, namespace }
        await client.create(statefulSets, namespace, { metadata, spec: { replicas: 2, serviceName: app, selector, template } } as never)
        await client.create(daemonSets, namespace, {
          metadata,
          spec: { selector: { matchLabels: { app: 'every-node' } }, template: podTemplate('every-node') },
        } as never)
        await client.create(replicaSets, namespace, {
          metadata,
          spec: { replicas: 1, selector: { matchLabels: { app: 'alone' } }, template: podTemplate('alone') },
        } as never)
        await client.create(replicationControllers, namespace, {
          metadata,
          spec: { replicas: 1, selector: { app: 'oldest' }, template: podTemplate('oldest') },
        } as never)
        await client.create(deployments, namespace, deployment(app, { replicas: 1 }))
        for (const kind of ['statefulset', 'daemonset', 'replicaset', 'replicationcontroller', 'deployment'])
          await kubectl('wait', '--for=condition=Operational', `${kind}/${app}`, '--timeout=120s')
        for (const kind of ['statefulset', 'daemonset', 'deployment'])
          await kubectl('wait', '--for=condition=Progressing', `${kind}/${app}`, '--timeout=120s')
        await kubectl('wait', '--for=condition=Available', `deployment/${app}`, '--timeout=120s')
      })

      it('reads thresholds and deadlines from annotations, and says when one is wrong', async () => {
        const annotations = { 'rollcall.dev/operational-threshold': '50%', [policyAnnotation]: 'Sometimes' }
        const name = 'half'
        await client.create(deployments, namespace, deployment(name, { replicas: 4, annotations, strategy: rolling(0, 2) }))
        await rolledOut(client, name)
        await setImage(client, name, 'example/missing:1')
        const current = await until('half of it is available', async () => {
          const found = await read(name)
          return found.status?.availableReplicas === 2 && found
        })
        expect(conditionOf(current as never, 'Operational')?.status).toBe('True')
        const told = await until('an Event says what is wrong', async () => {
          const found = (await client.list(events, { namespace, fieldSelector: `regarding.name=${name}` })).items
          return found.find(({ note = '' }) => note.includes('Sometimes'))
        })
        expect(told.type).toBe('Warning')

        await client.create(statefulSets, namespace, {
          metadata: { name: 'late', annotations: { 'rollcall.dev/progress-deadline-seconds': '2' } },
          spec: {
            replicas: 1,
            serviceName: 'late',
            selector: { matchLabels: { app: 'late' } },
            template: podTemplate('late', { image: 'example/missing:1' }),
          },
        } as never)
        await kubectl('wait', '--for=condition=Progressing=False', 'statefulset/late', '--timeout=120s')
      })

      addOtherWorkloads(() => ({ client, kubectl }))
    })

    it('made exactly the requests that the chart grants', async () => {
      const asked = requestedPermissions(await plane.audit())
      const granted = chartRules()
      expect(asked.refused).toEqual([])
      expect({ cluster: asked.cluster, namespace: asked.namespace }).toEqual({
        cluster: permissionsOf(granted.cluster),
        namespace: permissionsOf(granted.namespace),
      })
    })
  },
)
