// `rollcall dashboard` in a real browser, on a real kube-apiserver with kube-controller-manager and kube-scheduler.
import { Agent, request } from 'node:https'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployments } from '../../src/api/kinds.ts'
import type { Deployment } from '../../src/api/types.ts'
import { chromiumPath, startBrowser } from '../front-door/browser.ts'
import { comparedNumbers, drawnNumbers, type ReadObjects } from '../front-door/dashboard-numbers.ts'
import { missing, type RealControlPlane, startRealControlPlane } from './real-control-plane.ts'
import { type RunningCommand, run } from './running-command.ts'
import { deployment, podsOf, rolledOut, setImage, setsOf } from './workloads.ts'

const key = 'Deployment/default/web'

/** Its pods need two seconds to become ready and four to terminate, so that there are moments to compare. */
function slowDeployment(): Deployment {
  const web = deployment('web', { replicas: 4, graceSeconds: 4 })
  const { metadata, spec } = web.spec!.template
  const template = { metadata: { ...metadata, annotations: { 'rollcall.dev/ready-delay': '2s' } }, spec }
  return { ...web, spec: { ...web.spec!, template } } as Deployment
}

/** The status code of one request to the dashboard, with its token. */
const ask = (address: string, method: string, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const url = new URL(address)
    const agent = new Agent({ rejectUnauthorized: false })
    const headers = { authorization: `Bearer ${url.hash.replace('#token=', '')}` }
    const outgoing = request(new URL(path, url.origin), { agent, method, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })

describe.skipIf(missing !== undefined || chromiumPath === undefined)(
  `the dashboard on a real Kubernetes${missing === undefined ? '' : ` (${missing})`}`,
  { timeout: 120_000 },
  () => {
    let plane: RealControlPlane
    let nodes: RunningCommand
    let dashboard: RunningCommand
    let browser: Browser
    let page: Page
    const addressOf = ({ output }: RunningCommand) => /Dashboard: (\S+)/.exec(output())![1]!
    const read = async (): Promise<ReadObjects> => ({
      deployment: (await plane.client.get(deployments, { namespace: 'default', name: 'web' })) as unknown as ReadObjects['deployment'],
      replicaSets: await setsOf(plane.client, 'web'),
      pods: (await podsOf(plane.client, 'web')) as unknown as ReadObjects['pods'],
    })
    const isEqual = () => expect.poll(() => comparedNumbers(page, read)).toBe('equal')

    beforeAll(async () => {
      const starting = startBrowser()
      plane = await startRealControlPlane()
      await Promise.all([plane.startControllerManager(), plane.startScheduler()])
      nodes = run(['nodes', '--kubeconfig', plane.kubeconfig, '--nodes', '3'])
      dashboard = run(['dashboard', '--kubeconfig', plane.kubeconfig])
      await plane.client.create(deployments, 'default', slowDeployment())
      browser = await starting
      page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage()
      await dashboard.prints('Ctrl-C')
      await page.goto(addressOf(dashboard))
      await page.click(`[data-key="${key}"]`)
      await rolledOut(plane.client, 'web')
    }, 240_000)

    afterAll(async () => {
      await browser?.close()
      await dashboard?.end('SIGKILL')
      await nodes?.end('SIGKILL')
      await plane?.stop()
    })

    it('shows a rollout to its end, and every number that it draws is that of the API', async () => {
      await isEqual()
      await setImage(plane.client, 'web', 'example/web:2')
      const drawn = new Set<string>()
      for (let isDone = false; !isDone; ) {
        await isEqual()
        drawn.add(JSON.stringify(await drawnNumbers(page)))
        const { pods } = await read()
        const { metadata, status } = await plane.client.get(deployments, { namespace: 'default', name: 'web' })
        // Until the new generation is observed, the status is that of the old revision, whose rollout is complete.
        const isObserved = status?.observedGeneration === metadata.generation
        isDone = isObserved && status?.updatedReplicas === 4 && status.availableReplicas === 4 && pods.length === 4
      }
      await isEqual()
      // Before it, at its end, and in the middle of it.
      expect(drawn.size).toBeGreaterThanOrEqual(3)
      const legend = page.getByTestId('legend')
      await legend.locator('[data-revision="2"][data-state="ready"][data-count="4"]').waitFor()
      // Old pods were seen terminating, though Kubernetes does not count them.
      await legend.locator('[data-revision="1"][data-state="terminating"]').waitFor()
      await page.locator('[data-condition="Operational"][data-status="True"]').first().waitFor()
    })

    it('compares it with its simulation', async () => {
      await page.getByRole('button', { name: 'Compare with its simulation' }).click()
      const peak = page.getByTestId('simulation-comparison').locator('[data-measure="Peak pods"] td')
      await peak.first().waitFor()
      const [observed, simulated] = (await peak.allTextContents()).map(Number)
      expect(observed).toBeGreaterThan(4)
      expect(simulated).toBeGreaterThan(4)
      await page.getByRole('button', { name: 'Compare with its simulation' }).click()
    })

    it('resumes its watches after the API server was killed', async () => {
      await plane.restartApiServer()
      await plane.client.patch(deployments, { namespace: 'default', name: 'web' }, 'merge', { spec: { replicas: 6 } })
      await rolledOut(plane.client, 'web')
      await isEqual()
      await expect.poll(() => page.getByTestId('live').textContent()).toBe('live')
    })

    it('only reads, unless writes are enabled', async () => {
      const [first] = await podsOf(plane.client, 'web')
      const path = `/api/v1/namespaces/default/pods/${first!.metadata.name}`
      expect(await ask(addressOf(dashboard), 'GET', path)).toBe(200)
      expect(await ask(addressOf(dashboard), 'DELETE', path)).toBe(403)
      // A proxy reaches programs, which may do anything on a GET.
      expect(await ask(addressOf(dashboard), 'GET', `${path}/proxy/`)).toBe(403)
      expect(await ask(addressOf(dashboard), 'GET', `${path}/%70roxy`)).toBe(403)
      const writing = run(['dashboard', '--kubeconfig', plane.kubeconfig, '--write'])
      await writing.prints('Ctrl-C')
      expect(await ask(addressOf(writing), 'DELETE', path)).toBe(200)
      expect(await writing.end('SIGTERM')).toBe(0)
    })
  },
)
