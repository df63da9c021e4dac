// `rollcall controllers` and the pacer on older kube-apiservers: they know none of the proposals' fields of a Deployment. 1.34 drops
// `terminatingReplicas` too, whose feature gate is off there although its OpenAPI document has the field.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployments, jobs, pods, replicaSets } from '../../src/api/kinds.ts'
import type { Job } from '../../src/api/types.ts'
import type { HttpClient } from '../../src/client/http-client.ts'
import { countPods } from './pod-count.ts'
import { missingOlder, olderBinaries, type RealControlPlane, startRealControlPlane } from './real-control-plane.ts'
import { type RunningCommand, run, runControllers, runNodes, until } from './running-command.ts'
import { complete, conditionOf, deployment, endPod, isTerminating, podsOf, podTemplate, rolledOut, setImage, setsOf } from './workloads.ts'

const namespace = 'default'
const forEver = 3600

for (const folder of olderBinaries) {
  const missing = missingOlder(folder)
  const [, minor = '0'] = /-v1\.([0-9]+)\./.exec(folder) ?? []
  const [hasCount, hasPolicies] = [Number(minor) >= 35, Number(minor) >= 36]
  describe.skipIf(missing !== undefined)(`an older kube-apiserver (${missing ?? `1.${minor}`})`, { timeout: 240_000 }, () => {
    let plane: RealControlPlane
    let client: HttpClient
    let controllers: RunningCommand
    let nodes: RunningCommand

    beforeAll(async () => {
      plane = await startRealControlPlane({ older: folder })
      client = plane.client
      nodes = runNodes(plane.kubeconfig)
      controllers = runControllers(plane.kubeconfigOf('replica-a'))
      await controllers.prints('"leading"')
    }, 240_000)

    afterAll(async () => {
      await controllers?.end('SIGKILL')
      await nodes?.end('SIGKILL')
      await plane?.stop()
    })

    it(hasPolicies ? 'runs the pacer' : 'gets a warning from the pacer that its policy has no effect here', async () => {
      const pacer = run(['pacer', '--kubeconfig', plane.kubeconfig, '--health-address', '0'])
      if (!hasPolicies) await pacer.prints('use --admission webhook')
      await pacer.prints('"leading"')
      await pacer.end('SIGTERM')
    })

    it(`drops the field of the policy${hasCount ? '' : ' and the count of terminating pods'}`, async () => {
      const object = deployment('unknown', { replicas: 1 })
      await client.create(deployments, namespace, { ...object, spec: { ...object.spec!, podReplacementPolicy: 'TerminationComplete' } })
      const { spec, status } = await rolledOut(client, 'unknown')
      expect(spec).not.toHaveProperty('podReplacementPolicy')
      expect(Object.hasOwn(status ?? {}, 'terminatingReplicas')).toBe(hasCount)
    })

    it.each([
      ['rolling', { rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } }, 7],
      ['recreate', { type: 'Recreate' }, 5],
    ])('takes the policy from the annotation and counts terminating pods itself (%s)', async (name, strategy, cap) => {
      const count = await countPods(client, name)
      await client.create(deployments, namespace, deployment(name, { replicas: 5, strategy, annotations: complete }))
      await rolledOut(client, name)
      await setImage(client, name, 'example/web:2')
      await rolledOut(client, name)
      count.stop()
      expect(count.peak).toBeLessThanOrEqual(cap)
      expect(count.observed.size).toBe(10)
    })

    it('waits for a pod that takes long to terminate', async () => {
      const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }
      await client.create(
        deployments,
        namespace,
        deployment('slow', { replicas: 2, strategy, annotations: complete, graceSeconds: forEver }),
      )
      await rolledOut(client, 'slow')
      await setImage(client, 'slow', 'example/web:2')
      for (let replaced = 0; replaced < 2; replaced++) {
        const [old] = await until('an old pod terminates', async () => {
          const terminating = (await podsOf(client, 'slow')).filter(isTerminating)
          return terminating.length === 1 && terminating
        })
        await until('the controller waits for it', async () => {
          const { items } = await client.list(replicaSets, { namespace, labelSelector: 'app=slow' })
          return items.reduce((sum, { spec }) => sum + (spec?.replicas ?? 0), 0) === 1
        })
        expect(await podsOf(client, 'slow')).toHaveLength(2)
        await endPod(client, old!.metadata.name)
      }
      await rolledOut(client, 'slow')
    })

    it('writes the conditions of the proposals', async () => {
      await client.create(deployments, namespace, deployment('operational', { replicas: 2 }))
      expect(conditionOf((await rolledOut(client, 'operational')) as never, 'Operational')?.status).toBe('True')
    })

    it('replaces the pods of a Job after they have failed', async () => {
      const template = podTemplate('failing', { graceSeconds: forEver, spec: { restartPolicy: 'Never' } })
      const spec = { podReplacementPolicy: 'Failed', completions: 1, template }
      await client.create(jobs, namespace, { metadata: { name: 'failing', namespace }, spec } as unknown as Job)
      const [first] = await until('the pod runs', async () => {
        const running = (await podsOf(client, 'failing')).filter(({ status }) => status?.phase === 'Running')
        return running.length === 1 && running
      })
      await client.delete(pods, { namespace, name: first!.metadata.name })
      await until('the Job counts it', async () => (await client.get(jobs, { namespace, name: 'failing' })).status?.terminating === 1)
      expect(await podsOf(client, 'failing')).toHaveLength(1)
      await endPod(client, first!.metadata.name)
    })

    it('does not write the count again and again', async () => {
      const writes = (await plane.audit()).filter(
        ({ objectRef, verb }) => verb === 'update' && objectRef?.resource === 'replicasets' && objectRef.subresource === 'status',
      )
      const sets = await Promise.all(['unknown', 'rolling', 'recreate', 'slow', 'operational'].map((app) => setsOf(client, app)))
      // Created, ready, and a step of the rollout at a time.
      expect(writes.length).toBeLessThanOrEqual(sets.flat().length * 12)
    })
  })
}
