// The chart of the pacer on a real Kubernetes: installed by helm, run with the flags, the rules and the admission that it renders, and uninstalled.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { deployments, jobs, namespaces, pods, replicaSets, roles, secrets } from '../../src/api/kinds.ts'
import type { KubernetesObject, Pod } from '../../src/api/types.ts'
import { isGated, pacerGate } from '../../src/controllers/pacer/plan/pacing.ts'
import { freePort } from '../front-door/free-port.ts'
import { command, root } from '../front-door/running-cluster.ts'
import { countAdmitted } from './admitted-pods.ts'
import { installationNamespace, pacerRules, permissionsOf, requestedPermissions } from './chart-rules.ts'
import { missing as missingKubernetes, type RealControlPlane, startRealControlPlane, type TestUser } from './real-control-plane.ts'
import { pause, type RunningCommand, run, until } from './running-command.ts'
import { complete, deployment, podsOf, podTemplate, rolledOut, setImage } from './workloads.ts'

const helm = process.env['ROLLCALL_HELM']
const missing = missingKubernetes ?? (helm === undefined ? 'ROLLCALL_HELM names no helm' : undefined)
const chart = join(root, 'deploy/charts/rollcall-pacer')
const release = 'rollcall-pacer'
const account: TestUser = 'system:serviceaccount:rollcall-system:rollcall-pacer'
const releaseAccount: TestUser = 'system:serviceaccount:rollcall-system:rollcall-pacer-release'
const own = { namespace: installationNamespace, name: release }

async function output(command: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(command, args)
  let [text, problems] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (problems += chunk.toString()))
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${problems}`)
  return text
}

describe.skipIf(missing !== undefined)(
  `the chart of the pacer on a real Kubernetes${missing === undefined ? '' : ` (${missing})`}`,
  { timeout: 240_000 },
  () => {
    let plane: RealControlPlane
    let nodes: RunningCommand
    let pacer: RunningCommand | undefined
    const runHelm = (...args: readonly string[]) =>
      output(helm!, [...args, '--namespace', installationNamespace, '--kubeconfig', plane.kubeconfig])
    const kubectlApply = (text: string) => output('kubectl', ['--kubeconfig', plane.kubeconfig, 'apply', '-f', '-'], text)

    /** Runs what the chart's Deployment would run, with the rules of its service account. */
    const startPacer = async () => {
      const { spec } = await plane.client.get(deployments, own)
      const args = spec!.template.spec!.containers[0]!.args!.filter((flag) => !flag.startsWith('--health-address'))
      pacer = run([...args, `--health-address=127.0.0.1:${await freePort()}`, '--kubeconfig', plane.kubeconfigOf(account)])
      await pacer.prints('"leading"')
    }

    /** `rollcall pacer wait` for namespace plain. */
    const waitForPacer = (...flags: readonly string[]) => {
      const names = [
        '--leader-elect-resource-namespace',
        installationNamespace,
        '--leader-elect-resource-name',
        own.name,
        '--admission-name',
        own.name,
      ]
      return output(process.execPath, [
        command,
        'pacer',
        'wait',
        '--namespace',
        'plain',
        '--kubeconfig',
        plane.kubeconfig,
        ...names,
        ...flags,
      ])
    }

    beforeAll(async () => {
      plane = await startRealControlPlane()
      await plane.startControllerManager()
      await plane.startScheduler()
      nodes = run(['nodes', '--kubeconfig', plane.kubeconfig, '--nodes', '2'])
      await runHelm('install', release, chart, '--create-namespace', '--set', 'replicas=0,uninstall.quiet=2s')
      for (const [name, labels] of [
        ['paced', { ...complete }],
        ['plain', {}],
      ] as const)
        await plane.client.create(namespaces, undefined, { metadata: { name, labels } })
      await plane.client.patch(namespaces, { name: installationNamespace }, 'merge', { metadata: { labels: complete } })
    }, 240_000)

    afterAll(async () => {
      await pacer?.end('SIGKILL')
      await nodes?.end('SIGKILL')
      await plane?.stop()
    })

    const addWorkload = (namespace: string, name: string, annotations: object) =>
      plane.client.create(deployments, namespace, {
        ...deployment(name, { replicas: 0 }),
        metadata: { name, annotations },
      } as KubernetesObject as never)

    /** Whether a pod of that owner gets the gate. Nothing is created. */
    const getsGate = async (namespace: string, apiVersion: string, kind: string, name: string, hash = '') => {
      const pod = {
        metadata: {
          name: 'dry',
          labels: hash === '' ? {} : { 'pod-template-hash': hash },
          ownerReferences: [{ apiVersion, kind, name, uid: 'some', controller: true }],
        },
        spec: podTemplate('dry').spec,
      } as unknown as Pod
      return isGated(await plane.client.create(pods, namespace, pod, { dryRun: true }))
    }

    /** The same for the policy and the webhook. */
    const expectOptIn = async (prefix: string) => {
      const started = { 'rollcall.dev/pod-replacement-policy': 'TerminationStarted' }
      await addWorkload('plain', `${prefix}-asks`, complete)
      await addWorkload('plain', `${prefix}-silent`, {})
      // An Event says so.
      await addWorkload('plain', `${prefix}-invalid`, { 'rollcall.dev/stuck-termination-timeout': 'soon' })
      await addWorkload('paced', `${prefix}-out`, started)
      await plane.client.create(jobs, 'plain', {
        metadata: { name: `${prefix}-job`, annotations: complete },
        spec: { suspend: true, template: { spec: { ...podTemplate('job').spec, restartPolicy: 'Never' } } },
      } as never)
      const set = (namespace: string, name: string) => getsGate(namespace, 'apps/v1', 'ReplicaSet', `${prefix}-${name}-abc`, 'abc')
      await until('all who ask get the gate', async () => {
        const asking = [set('plain', 'asks'), set('paced', 'silent'), getsGate('plain', 'batch/v1', 'Job', `${prefix}-job`)]
        const isOut = !(await set('paced', 'out'))
        return isOut && (await Promise.all(asking)).every((isOne) => isOne)
      })
      expect(
        await Promise.all([
          set('plain', 'silent'),
          set(installationNamespace, 'asks'),
          getsGate('paced', 'apps/v1', 'StatefulSet', 'db'),
          getsGate('paced', 'batch.volcano.sh/v1alpha1', 'Job', 'work'),
        ]),
      ).toEqual([false, false, false, false])
    }

    const expectPacedRollout = async (name: string) => {
      const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } }
      const count = await countAdmitted(plane, name)
      await plane.client.create(deployments, 'default', deployment(name, { replicas: 4, strategy, annotations: complete }))
      await until('it is known', () => getsGate('default', 'apps/v1', 'ReplicaSet', `${name}-abc`, 'abc'))
      await rolledOut(plane.client, name)
      await setImage(plane.client, name, 'example/web:2')
      await rolledOut(plane.client, name)
      count.stop()
      expect(count.peak()).toBe(4)
      expect(count.waited()).toBeGreaterThanOrEqual(4)
    }

    /** Without the policy: a new pod arrives without the gate. */
    const expectBypass = async (name: string) => {
      const { health } = JSON.parse(
        pacer!
          .output()
          .split('\n')
          .find((line) => line.includes('"health"'))!,
      ) as { readonly health: string }
      const readiness = async () => (await fetch(`${health}/readyz`)).text()
      expect(await readiness()).toBe('ok\n')
      // Pods that are created sooner after the opt-in are not reported.
      const { metadata } = await plane.client.get(deployments, { namespace: 'default', name })
      await pause(Math.max(0, Date.parse(metadata.creationTimestamp!) + 7_000 - Date.now()))
      const [pod] = await podsOf(plane.client, name)
      await plane.client.delete(pods, { namespace: 'default', name: pod!.metadata.name })
      await until('the pacer reports it', async () =>
        (await readiness()).includes(`new pods arrive without the gate: Deployment default/${name}`),
      )
      expect(await output(process.execPath, [command, 'pacer', 'status', '--kubeconfig', plane.kubeconfig])).toContain(
        `Deployment default/${name}: new pods arrive without the gate`,
      )
    }

    it('opts in by annotation and by label through a MutatingAdmissionPolicy', async () => {
      // The pacer makes it again.
      await plane.client.delete(roles, { ...own, name: `${release}-workloads` })
      await expect(waitForPacer('--timeout', '500ms')).rejects.toThrow(/The pacer is not ready: no pacer leads/)
      await startPacer()
      // From here on nothing is asked twice.
      await pacer!.prints('the admission policy is in effect')
      expect(await getsGate('paced', 'apps/v1', 'ReplicaSet', 'web-abc', 'abc')).toBe(true)
      await addWorkload('plain', 'waited', complete)
      expect(await waitForPacer()).toBe('The pacer is ready: new pods of 1 workload get the gate.\n')
      expect(await getsGate('plain', 'apps/v1', 'ReplicaSet', 'waited-abc', 'abc')).toBe(true)
      await plane.client.delete(deployments, { namespace: 'plain', name: 'waited' })
      await expectOptIn('policy')
      await expectPacedRollout('listed')
      // The policy has effect again after it was deleted and applied.
      const manifests = await output(process.execPath, [command, 'pacer', 'manifests', '--namespace', installationNamespace])
      const isGatedAgain = () => getsGate('plain', 'apps/v1', 'ReplicaSet', 'policy-asks-abc', 'abc')
      for (let time = 1; time <= 2; time++) {
        await output('kubectl', ['--kubeconfig', plane.kubeconfig, 'delete', '-f', '-'], manifests)
        await until('it has no effect', async () => !(await isGatedAgain()))
        await expect(waitForPacer('--timeout', '500ms')).rejects.toThrow('new pods of Deployment plain/policy-asks get no gate')
        if (time === 1) await expectBypass('listed')
        await kubectlApply(manifests)
        expect(await waitForPacer()).toMatch(/^The pacer is ready: new pods of \d workloads get the gate\.\n$/)
        expect(await isGatedAgain()).toBe(true)
      }
      // Nothing says whether a ReplicaSet is paced alone but its owner, which is read where the cache lacks it.
      await plane.client.create(replicaSets, 'default', {
        metadata: {
          name: 'lost',
          finalizers: ['example.com/keep'],
          ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'lost', uid: 'lost', controller: true }],
        },
        spec: { replicas: 0, selector: { matchLabels: { app: 'lost' } }, template: podTemplate('lost') },
      } as never)
      await until('its Deployment is looked for', async () =>
        requestedPermissions(await plane.audit(), account).cluster.includes('get apps/deployments'),
      )
      expect(await pacer!.end('SIGTERM')).toBe(0)
    })

    it('opts in by annotation and by label through the webhook, which never blocks other pods', async () => {
      const url = `https://127.0.0.1:${await freePort()}`
      const values = `replicas=0,uninstall.quiet=2s,admission.mode=webhook,admission.webhookUrl=${url},admission.webhookPort=${url.split(':')[2]}`
      await runHelm('upgrade', release, chart, '--set', values)
      await plane.client.delete(secrets, own)
      await startPacer()
      await expectOptIn('webhook')
      await expectPacedRollout('hooked')
      await pacer!.end('SIGTERM')
      expect(await getsGate('paced', 'apps/v1', 'ReplicaSet', 'web-abc', 'abc')).toBe(false)
      // Certificates that cannot be used are created again.
      await plane.client.patch(secrets, own, 'merge', { data: { 'tls.crt': null } })
      await startPacer()
      await until('it serves again', () => getsGate('paced', 'apps/v1', 'ReplicaSet', 'web-abc', 'abc'))
    })

    it('used exactly the rules of the chart', async () => {
      const rules = pacerRules()
      const asked = requestedPermissions(await plane.audit(), account)
      const cluster = [...rules['cluster']!, ...rules['policyCluster']!, ...rules['webhookCluster']!]
      const namespace = [...rules['namespace']!, ...rules['policy']!, ...rules['webhook']!]
      // An Event that repeats is patched, which is not provoked here.
      expect({ ...asked, cluster: [...new Set([...asked.cluster, 'patch events'])].sort() }).toEqual({
        cluster: permissionsOf(cluster),
        namespace: permissionsOf(namespace),
        refused: [],
      })
    })

    it('leaves no gated pod behind when it is uninstalled', async () => {
      // The nodes are stopped: nothing terminates, and the replacements wait.
      await nodes.end('SIGKILL')
      const templated = deployment('templated', { replicas: 1, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } })
      const template = templated.spec!.template
      await plane.client.create(deployments, 'default', {
        ...templated,
        spec: { ...templated.spec, template: { ...template, spec: { ...template.spec, schedulingGates: [{ name: pacerGate }] } } },
      } as never)
      for (const { metadata } of await podsOf(plane.client, 'hooked'))
        await plane.client.delete(pods, { namespace: 'default', name: metadata.name })
      await until('pods wait', async () => (await podsOf(plane.client, 'hooked')).filter(isGated).length === 4)
      const hooks = parseAllDocuments(await runHelm('get', 'hooks', release)).map((document) => document.toJS() as KubernetesObject)
      // No kubelet runs the Job of the hook here: it is run by hand, after the rest was deleted, with its flags and rules.
      await runHelm('uninstall', release, '--no-hooks')
      await pacer!.end('SIGTERM')
      const job = hooks.find(({ kind }) => kind === 'Job') as { spec: { template: { spec: { containers: { args: string[] }[] } } } }
      for (const object of hooks) if (object.kind !== 'Job') await kubectlApply(JSON.stringify(object))
      const command = run([...job.spec.template.spec.containers[0]!.args, '--kubeconfig', plane.kubeconfigOf(releaseAccount)])
      await command.ended
      expect(command.output()).toMatch(
        /^Took the gate out of the pod template of Deployment default\/templated\.\nReleased [4-6] pods in all namespaces\.\n$/,
      )
      expect((await plane.client.list(pods)).items.filter(isGated)).toEqual([])
      expect(await getsGate('paced', 'apps/v1', 'ReplicaSet', 'web-abc', 'abc')).toBe(false)
      const asked = requestedPermissions(await plane.audit(), releaseAccount)
      expect(asked.refused).toEqual([])
      expect(permissionsOf(pacerRules()['uninstall']!)).toEqual(expect.arrayContaining(asked.cluster as string[]))
    })
  },
)
