// The dashboard as people see it: a running cluster, a real browser, and numbers compared with the API.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startBrowser } from './browser.ts'
import { command, type RunningCluster, startCluster } from './running-cluster.ts'

interface Deployment {
  readonly status: { readonly readyReplicas?: number; readonly terminatingReplicas?: number; readonly updatedReplicas?: number }
}

const path = '/apis/apps/v1/namespaces/default/deployments'
const deployment = (name: string, more: object = {}) => ({
  metadata: { name, labels: { app: name } },
  spec: {
    replicas: 6,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'example/web:1' }], ...more } },
  },
})

describe.skipIf(chromiumPath === undefined)('the dashboard, in a browser', () => {
  const pictures = process.env['ROLLCALL_PICTURES'] ?? mkdtempSync(join(tmpdir(), 'rollcall-pictures-'))
  const complaints: string[] = []
  const hosts = new Set<string>()
  let cluster: RunningCluster
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const address = () => /Dashboard: (\S+)/.exec(cluster.output())![1]!
  const go = (hash: string) => page.goto(`${cluster.url}/ui/#${hash}`)

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true })
    cluster = await startCluster(['--memory', '--nodes', '3', '--speed', '5'])
    await cluster.ask('POST', path, deployment('web'))
    await cluster.ask('POST', path, deployment('stuck', { nodeSelector: { disk: 'ssd' } }))
    browser = await startBrowser()
    context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 900 } })
    page = await context.newPage()
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('request', (request) => void (request.url().startsWith('blob:') || hosts.add(new URL(request.url()).host)))
    await page.goto(address())
    await page.locator('[data-key="Deployment/default/web"] [data-ready="6"]').waitFor()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await cluster?.stop()
    if (process.env['ROLLCALL_PICTURES'] === undefined) rmSync(pictures, { recursive: true, force: true })
  })

  it('takes the token out of the address, and asks no other host for anything', async () => {
    expect(page.url()).toBe(`${cluster.url}/ui/#/`)
    expect(await page.evaluate('history.length')).toBeLessThanOrEqual(2)
    await page.reload()
    await page.locator('[data-key="Deployment/default/web"]').waitFor()
    expect([...hosts]).toEqual([new URL(cluster.url).host])
  })

  it('lists the workloads, those with problems first, and filters them', async () => {
    await page.locator('[data-key="Deployment/default/stuck"]').waitFor()
    await page.getByLabel('Name or label').fill('app=stuck')
    await expect.poll(() => page.locator('[data-key]').count()).toBe(1)
    await page.getByLabel('Name or label').fill('')
    await expect.poll(() => page.locator('[data-key]').count()).toBe(2)
    await page.screenshot({ path: join(pictures, 'dashboard-overview.png') })
  })

  it('shows a rollout to its end, with the numbers of the API', async () => {
    await page.click('[data-key="Deployment/default/web"]')
    const legend = page.getByTestId('legend')
    await legend.locator('[data-revision="1"][data-state="ready"][data-count="6"]').waitFor()
    const image = JSON.stringify({ spec: { template: { spec: { containers: [{ name: 'c', image: 'example/web:2' }] } } } })
    await cluster.ask('PATCH', `${path}/web`, image, { 'content-type': 'application/strategic-merge-patch+json' })
    await legend.locator('[data-revision="2"][data-state="ready"][data-count="6"]').waitFor()
    const { status } = (await cluster.ask('GET', `${path}/web`)).json as Deployment
    expect(status).toMatchObject({ readyReplicas: 6, updatedReplicas: 6 })
    await expect.poll(() => page.getByTestId('counts').textContent()).toContain('6 of 6 ready; cap 8')
    expect(await legend.locator('[data-line=desired]').getAttribute('data-count')).toBe('6')
    const pods = (await cluster.ask('GET', '/api/v1/namespaces/default/pods?labelSelector=app%3Dweb')).json as {
      items: { metadata: { name: string } }[]
    }
    const shown = await page.locator('[data-pod]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-pod')))
    expect(shown.toSorted()).toEqual(pods.items.map(({ metadata }) => metadata.name).toSorted())
    await page.screenshot({ path: join(pictures, 'dashboard-workload.png') })
  })

  it('names what a stuck workload waits for', async () => {
    await go('/workload/Deployment/default/stuck')
    await expect.poll(() => page.getByTestId('waits-for').textContent()).toMatch(/didn't match Pod's node affinity|node\(s\)/)
  })

  it('resumes after the connection was cut', async () => {
    await go('/workload/Deployment/default/web')
    await page.getByTestId('legend').waitFor()
    await context.setOffline(true)
    await cluster.ask('PATCH', `${path}/web`, '{"spec":{"replicas":9}}', { 'content-type': 'application/merge-patch+json' })
    await context.setOffline(false)
    await page.getByTestId('legend').locator('[data-state="ready"][data-count="9"]').waitFor()
  })

  it('saves a rollout as a report', async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as report' }).click()
    expect((await download).suggestedFilename()).toBe('web.html')
  })

  it('simulates a change without making it', async () => {
    await page.getByRole('button', { name: 'Simulate a change' }).click()
    await page.getByLabel('Image').fill('example/web:3')
    await page.getByRole('button', { name: 'Simulate', exact: true }).click()
    await page.getByTestId('comparison').waitFor()
    await expect.poll(() => page.getByTestId('comparison').textContent()).toContain('TerminationComplete')
    const text = (await cluster.ask('GET', `${path}/web`)).text
    expect(text).toContain('example/web:2')
    expect(text).not.toContain('example/web:3')
  })

  it('loses a node by a button, shows it, and ends the fault', async () => {
    await go('/time')
    await page.getByRole('button', { name: 'Lose this node' }).click()
    await page.getByTestId('faults').getByText('node/node-1 down').waitFor()
    await go('/nodes')
    await page.locator('[data-node="node-1"][data-state="lost"]').waitFor()
    await go('/time')
    await page.getByRole('button', { name: 'End it' }).click()
    await page.getByText('No fault is active.').waitFor()
  })

  it('controls the time of the cluster', async () => {
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect.poll(() => page.getByTestId('clock').textContent()).toContain('paused')
    await page.getByRole('button', { name: '10×' }).click()
    await expect.poll(() => page.getByTestId('clock').textContent()).toContain('10 times as fast')
  })

  it('can be used with the keyboard only', async () => {
    await go('/')
    await page.locator('[data-key="Deployment/default/web"]').waitFor()
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate("document.activeElement?.getAttribute('data-key')")) === 'Deployment/default/web') break
    }
    await page.keyboard.press('Enter')
    await page.getByTestId('legend').waitFor()
    expect(page.url()).toContain('#/workload/Deployment/default/web')
  })

  it.each([
    [360, 'light'],
    [820, 'dark'],
    [1600, 'light'],
  ] as const)('fits a screen of %i pixels, %s', async (width, scheme) => {
    const other = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width, height: 800 }, colorScheme: scheme })
    const narrow = await other.newPage()
    await narrow.goto(address())
    for (const hash of ['/', '/nodes', '/workload/Deployment/default/web', '/time']) {
      await narrow.goto(`${cluster.url}/ui/#${hash}`)
      await narrow.locator('h1').waitFor()
      if (hash.includes('web')) await narrow.getByTestId('legend').waitFor()
      expect(await narrow.evaluate('document.documentElement.scrollWidth <= innerWidth'), hash).toBe(true)
      await narrow.screenshot({ path: join(pictures, `dashboard-${width}${hash.replaceAll('/', '-')}.png`) })
    }
    await other.close()
  })

  it('is sent with a strict policy, and gives nothing away without the token', async () => {
    const response = await cluster.ask('GET', '/ui/', undefined, { authorization: '' })
    expect(response.code).toBe(200)
    expect(response.headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self'"),
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
    expect(await cluster.ask('GET', '/', undefined, { accept: 'text/html' })).toMatchObject({ code: 302, headers: { location: '/ui/' } })
    expect((await cluster.ask('GET', '/api/v1/pods', undefined, { authorization: 'Bearer wrong' })).code).toBe(401)
    expect((await cluster.ask('GET', '/ui/../credentials/token')).code).toBe(404)
  })

  it('complained about nothing', () => {
    expect(complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/.test(text))).toEqual([])
  })

  it('is served by rollcall dashboard for another cluster, reading only', async () => {
    const child = spawn(process.execPath, [command, 'dashboard', '--kubeconfig', cluster.kubeconfig])
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    await expect.poll(() => output).toContain('Ctrl-C')
    const own = /Dashboard: (\S+)/.exec(output)![1]!
    const other = await browser.newContext({ ignoreHTTPSErrors: true })
    const opened = await other.newPage()
    await opened.goto(own)
    await opened.locator('[data-key="Deployment/default/web"] [data-ready="9"]').waitFor()
    const url = own.replace(/\/ui.*/, '')
    const token = own.replace(/.*token=/, '')
    const curl = (...flags: string[]) =>
      spawnSync('curl', ['-sk', '-o', '/dev/null', '-w', '%{http_code}', ...flags], { encoding: 'utf8' }).stdout
    expect(curl(`${url}/api/v1/pods`)).toBe('401')
    expect(curl('-H', `Authorization: Bearer ${token}`, `${url}/api/v1/pods`)).toBe('200')
    expect(curl('-H', `Authorization: Bearer ${token}`, '-X', 'DELETE', `${url}/api/v1/namespaces/default/pods`)).toBe('403')
    expect(curl('-H', 'Host: evil.example', `${url}/ui/`)).toBe('421')
    await other.close()
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
    expect(child.exitCode).toBe(0)
  })
})
