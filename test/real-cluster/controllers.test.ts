// The life of `rollcall controllers` on a real kube-apiserver, as a cluster administrator runs it.
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployments, coreEvents as events, leases, replicaSets } from '../../src/api/kinds.ts'
import { freePort } from '../front-door/free-port.ts'
import { missing, type RealControlPlane, startRealControlPlane, withoutWorkloadControllers } from './real-control-plane.ts'
import { type RunningCommand, runControllers, runNodes } from './running-command.ts'
import { deployment, rolledOut } from './workloads.ts'

/** The Lease of a leader that neither releases it, nor gives up while the API server restarts. */
const longLease = ['--leader-elect-lease-duration=10m', '--leader-elect-renew-deadline=5m']

describe.skipIf(missing !== undefined)(
  `the life of rollcall controllers on a real kube-apiserver${missing === undefined ? '' : ` (${missing})`}`,
  { timeout: 240_000 },
  () => {
    let plane: RealControlPlane
    let controllers: RunningCommand
    let nodes: RunningCommand
    let healthAddress: string

    beforeAll(async () => {
      plane = await startRealControlPlane()
      const manager = plane.startControllerManager(withoutWorkloadControllers)
      nodes = runNodes(plane.kubeconfig)
      healthAddress = `127.0.0.1:${await freePort()}`
      controllers = runControllers(plane.kubeconfig, ...longLease, '--health-address', healthAddress)
      await Promise.all([manager, controllers.prints('"leading"')])
    }, 240_000)

    afterAll(async () => {
      await controllers?.end('SIGKILL')
      await nodes?.end('SIGKILL')
      await plane?.stop()
    })

    it('rolls a Deployment out', async () => {
      await plane.client.create(deployments, 'default', deployment('plain', { replicas: 4 }))
      await rolledOut(plane.client, 'plain')
    })

    it('lets kubectl read logs and run commands in pods of simulated nodes', () => {
      const kubectl = (...args: readonly string[]) =>
        execFileSync('kubectl', ['--kubeconfig', plane.kubeconfig, ...args], { encoding: 'utf8', timeout: 60_000 })
      const script = 'echo written by $HOSTNAME; exec sleep 1000'
      kubectl('run', 'talker', '--image=busybox', '--command', '--', 'sh', '-c', script)
      kubectl('wait', '--for=condition=Ready', 'pod/talker')
      expect(kubectl('logs', 'talker')).toBe('written by talker\n')
      expect(kubectl('exec', 'talker', '--', 'sh', '-c', 'echo out; echo $((6 * 7))')).toBe('out\n42\n')
      expect(() => kubectl('exec', 'talker', '--', 'sh', '-c', 'exit 3')).toThrow('exit code 3')
    })

    it('leaves a Deployment alone whose status a tenant writes, and no other', async () => {
      const { client } = plane
      for (const name of ['fought', 'other']) await client.create(deployments, 'default', deployment(name, { replicas: 1 }))
      for (const name of ['fought', 'other']) await rolledOut(client, name)
      const readyz = async () => {
        const response = await fetch(`http://${healthAddress}/readyz`)
        return { code: response.status, text: await response.text() }
      }
      expect(await readyz()).toMatchObject({ code: 200 })
      const ref = { namespace: 'default', name: 'fought' }
      let count = 0
      await expect
        .poll(
          async () => {
            await client.patch(
              deployments,
              ref,
              'merge',
              { status: { observedGeneration: 9, replicas: 50 + count++ } },
              { subresource: 'status' },
            )
            return (await readyz()).code
          },
          { interval: 1100, timeout: 20_000 },
        )
        .toBe(503)
      expect((await readyz()).text).toMatch(/Deployment default\/fought is left alone: ".+" also writes its status/)
      await expect
        .poll(async () => (await client.list(events, { namespace: 'default' })).items.find(({ reason }) => reason === 'StatusConflict'))
        .toMatchObject({ type: 'Warning', involvedObject: { kind: 'Deployment', name: 'fought' } })
      // The other one is still reconciled, and this one is not.
      for (const name of ['fought', 'other']) await client.patch(deployments, { ...ref, name }, 'merge', { spec: { replicas: 3 } })
      await rolledOut(client, 'other')
      const sets = (await client.list(replicaSets, { namespace: 'default' })).items
      expect(sets.find(({ metadata }) => metadata.name.startsWith('fought-'))?.spec?.replicas).toBe(1)
      for (const name of ['fought', 'other']) await client.delete(deployments, { ...ref, name })
      await expect.poll(async () => (await readyz()).code).toBe(200)
    })

    it('hands over at once on SIGTERM', async () => {
      const standby = runControllers(plane.kubeconfig, ...longLease)
      await standby.prints('caches have synced')
      expect(await controllers.end('SIGTERM')).toBe(0)
      // The leader released the Lease: it would have been its own for longer than this waits.
      await standby.prints('"leading"')
      controllers = standby
      const { spec } = await plane.client.get(leases, { namespace: 'default', name: 'rollcall-controllers' })
      expect(spec?.leaseTransitions).toBe(1)
    })

    it('continues after the API server was killed', async () => {
      await plane.restartApiServer()
      await plane.client.patch(deployments, { namespace: 'default', name: 'plain' }, 'merge', { spec: { replicas: 7 } })
      await rolledOut(plane.client, 'plain')
    })

    it('refuses to start beside active built-in controllers, and says how to turn them off', async () => {
      await controllers.end('SIGTERM')
      const manager = await plane.startControllerManager('*')
      const refused = runControllers(plane.kubeconfig)
      const code = await refused.ended
      manager.kill('SIGKILL')
      expect(code).toBe(3)
      expect(refused.output()).toMatch(/error: the built-in controllers for deployment, replicaset, .*daemonset are active/)
      for (const word of ['kubeadm', 'kind', 'k3s']) expect(refused.output()).toContain(`  ${word}`)
    })
  },
)
