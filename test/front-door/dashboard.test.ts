// The dashboard as people see it: a running cluster, a real browser, and numbers compared with the API.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, startBrowser } from './browser.ts'
import { comparedNumbers, type ReadObjects } from './dashboard-numbers.ts'
import { command, type RunningCluster, startCluster } from './running-cluster.ts'

interface Template {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> }
  readonly spec: { readonly containers: readonly { readonly image: string }[] }
}

const path = '/apis/apps/v1/namespaces/default/deployments'
const deployment = (name: string, more: object = {}) => ({
  metadata: { name, labels: { app: name } },
  spec: {
    replicas: 6,
    selector: { matchLabels: { app: name } },
    // Longer than a step of the clock, so that pods are seen while they terminate.
    template: {
      metadata: { labels: { app: name }, annotations: { 'rollcall.dev/stop-delay': '4s' } },
      spec: { containers: [{ name: 'c', image: 'example/web:1' }], ...more },
    },
  },
})

describe.skipIf(chromiumPath === undefined)('the dashboard, in a browser', { timeout: 120_000 }, () => {
  const pictures = process.env['ROLLCALL_PICTURES'] ?? mkdtempSync(join(tmpdir(), 'rollcall-pictures-'))
  const complaints: string[] = []
  const hosts = new Set<string>()
  let cluster: RunningCluster
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const address = () => /Dashboard: (\S+)/.exec(cluster.output())![1]!
  const go = (hash: string) => page.goto(`${cluster.url}/ui/#${hash}`)
  const items = async <T>(path: string) => ((await cluster.ask('GET', path)).json as { items: readonly T[] }).items
  const readWeb = async (): Promise<ReadObjects> => ({
    deployment: (await cluster.ask('GET', `${path}/web`)).json as ReadObjects['deployment'],
    replicaSets: await items('/apis/apps/v1/namespaces/default/replicasets'),
    pods: await items('/api/v1/namespaces/default/pods?labelSelector=app%3Dweb'),
  })

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
  }, 120_000)
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

  it('shows a rollout to its end, and every number that it draws is that of the API', async () => {
    await page.click('[data-key="Deployment/default/web"]')
    const legend = page.getByTestId('legend')
    await legend.locator('[data-revision="1"][data-state="ready"][data-count="6"]').waitFor()
    await cluster.ask('POST', '/rollcall/v1/clock', { pause: true })
    const template = { metadata: { annotations: { 'rollcall.dev/ready-delay': '3s' } } }
    const image = { spec: { template: { ...template, spec: { containers: [{ name: 'c', image: 'example/web:2' }] } } } }
    await cluster.ask('PATCH', `${path}/web`, JSON.stringify(image), { 'content-type': 'application/strategic-merge-patch+json' })
    const seen = new Set<string>()
    // Time is paused between the steps, so that both sides can be compared at one moment.
    for (let step = 0; !(await isRolledOut(2)); step++) {
      expect(step).toBeLessThan(60)
      await cluster.ask('POST', '/rollcall/v1/clock', { step: { milliseconds: 1000 } })
      await expect.poll(async () => ((await cluster.ask('GET', '/rollcall/v1/clock')).json as { step?: object }).step).toBeUndefined()
      await expect.poll(() => comparedNumbers(page, readWeb)).toBe('equal')
      for (const state of await legend
        .locator('[data-state]:not([data-count="0"])')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-state')!)))
        seen.add(state)
      if (step === 4) await page.screenshot({ path: join(pictures, 'dashboard-rollout.png'), fullPage: true })
    }
    expect([...seen]).toEqual(expect.arrayContaining(['ready', 'starting', 'terminating']))
    await cluster.ask('POST', '/rollcall/v1/clock', { resume: { speed: 5 } })
    await legend.locator('[data-revision="2"][data-state="ready"][data-count="6"]').waitFor()
    await expect.poll(() => page.getByTestId('counts').textContent()).toContain('6 of 6 ready; cap 8')
  })

  const isRolledOut = async (revision: number) => {
    const { pods, replicaSets } = await readWeb()
    const newest = replicaSets.find(({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision'] === String(revision))
    const isNew = (pod: ReadObjects['pods'][number]) => pod.metadata.ownerReferences?.[0]?.uid === newest?.metadata.uid
    const isReady = ({ status }: ReadObjects['pods'][number]) =>
      status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True')
    return newest !== undefined && pods.length === 6 && pods.every((pod) => isNew(pod) && isReady(pod))
  }

  it('shows the differences of revisions, events, and conditions in one language', async () => {
    await expect.poll(() => page.locator('[data-revision="2"] .differences').first().textContent()).toContain('example/web:2')
    await expect
      .poll(() => page.getByTestId('marks').textContent())
      .toMatch(/ScalingReplicaSet: Scaled up replica set web-\w+ from \d to \d/)
    for (const type of ['Operational', 'Available', 'Progressing'])
      await page.locator(`.conditions [data-condition="${type}"][data-status="True"]`).waitFor()
  })

  it('compares the rollout with its simulation, in numbers', async () => {
    await page.getByRole('button', { name: 'Compare with its simulation' }).click()
    const compared = page.getByTestId('simulation-comparison')
    await compared.waitFor()
    const cells = async (measure: string) => compared.locator(`[data-measure="${measure}"] td`).allTextContents()
    await expect.poll(() => cells('Peak terminating')).toHaveLength(3)
    const [observed, simulated, difference] = await cells('Peak pods')
    expect(Number(simulated) - Number(observed)).toBe(Number(difference!.replace('−', '-')))
    expect((await cells('Until complete'))[0]).toMatch(/^[\d.]+s$/)
    expect(await compared.locator('figure').count()).toBe(2)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save the comparison' }).click()
    expect(readFileSync(await (await saved).path(), 'utf8')).toContain('simulated')
    await page.screenshot({ path: join(pictures, 'dashboard-compared.png'), fullPage: true })
    await page.getByRole('button', { name: 'Compare with its simulation' }).click()
  })

  it('shows pods that wait for a scheduling gate as such, with the reason', async () => {
    const gated = { schedulingGates: [{ name: 'rollcall.dev/pacer' }] }
    await cluster.ask('POST', path, deployment('gated', gated))
    await go('/')
    const row = page.locator('[data-key="Deployment/default/gated"]')
    await row.locator('.part.waiting').waitFor()
    await expect.poll(() => row.textContent()).toContain('6 pods held by a scheduling gate')
    await row.click()
    await page.getByTestId('legend').locator('[data-state="waiting"][data-count="6"]').waitFor()
    await expect.poll(() => page.getByTestId('waits-for').textContent()).toBe('Waits for rollcall.dev/pacer to admit 6 pods.')
    await expect.poll(() => page.getByTestId('explanation').textContent()).toMatch(/held back by scheduling gate rollcall\.dev\/pacer/)
    await expect
      .poll(() => page.locator('[data-pod]').first().textContent())
      .toContain('Held by gate rollcall.dev/pacer, until the pacer admits it')
    await cluster.ask('DELETE', `${path}/gated`)
    await page.getByText('does not exist, or not any more').waitFor()
  })

  it('names what a stuck workload waits for', async () => {
    await go('/workload/Deployment/default/stuck')
    await expect.poll(() => page.getByTestId('waits-for').textContent()).toMatch(/didn't match Pod's node affinity|node\(s\)/)
    await page.locator('.badge.problem').waitFor()
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

  it('shows the log and the YAML of a pod, and the YAML of the workload', async () => {
    await page.locator('.pod-row .name.link').first().click()
    const text = page.getByTestId('object-text')
    await expect.poll(() => text.textContent()).not.toBe('Reading …')
    await page.getByRole('dialog').getByRole('button', { name: 'YAML' }).click()
    await expect.poll(() => text.textContent()).toMatch(/^apiVersion: v1\nkind: Pod\n/)
    expect(await text.textContent()).not.toContain('managedFields')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'YAML' }).click()
    await expect.poll(() => text.textContent()).toMatch(/^apiVersion: apps\/v1\nkind: Deployment\n/)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  })

  it('restarts and undoes a rollout after a question', async () => {
    const template = async () => ((await cluster.ask('GET', `${path}/web`)).json as { spec: { template: Template } }).spec.template
    const before = await template()
    await page.getByRole('button', { name: 'Restart …' }).click()
    await page.keyboard.press('Escape')
    expect(await template()).toEqual(before)
    await page.getByRole('button', { name: 'Restart …' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restart', exact: true }).click()
    await expect.poll(async () => (await template()).metadata.annotations?.['kubectl.kubernetes.io/restartedAt']).toMatch(/^20.*Z$/)
    await page.locator('.revisions [data-revision="3"]').waitFor()
    await page.locator('.revisions [data-revision="1"]').getByRole('button', { name: 'Undo to it …' }).click()
    await page.getByRole('dialog').getByText('example/web:1').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(async () => (await template()).spec.containers[0]!.image).toBe('example/web:1')
    await page.locator('.revisions [data-revision="2"]').getByRole('button', { name: 'Undo to it …' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(template).toEqual(before)
  })

  it('simulates a change without making it', async () => {
    await page.getByRole('button', { name: 'Simulate a change' }).click()
    await page.getByLabel('Image').fill('example/web:3')
    await page.getByLabel('with the pacer').check()
    await page.getByRole('button', { name: 'Simulate', exact: true }).click()
    await page.getByTestId('comparison').waitFor()
    await expect.poll(() => page.getByTestId('comparison').textContent()).toContain('TerminationComplete')
    await expect.poll(() => page.getByTestId('comparison').textContent()).toContain('with the pacer')
    const text = (await cluster.ask('GET', `${path}/web`)).text
    expect(text).toContain('example/web:2')
    expect(text).not.toContain('example/web:3')
  })

  it('loses a node by a button, shows it, and ends the fault', async () => {
    await go('/time')
    await page.getByRole('button', { name: '60×', exact: true }).click()
    await page.getByRole('button', { name: 'Lose this node' }).click()
    await page.getByTestId('faults').getByText('node/node-1 down').waitFor()
    await go('/nodes')
    await page.locator('[data-node="node-1"][data-state="lost"]').waitFor()
    await expect.poll(() => page.getByTestId('nodes-summary').textContent()).toContain('1 lost: node-1.')
    await go('/')
    await expect.poll(() => page.getByTestId('summary').textContent()).toContain('nodes, lost: node-1')
    await go('/node/node-1')
    await page.locator('[data-pod][data-state="lost"], [data-pod][data-state="terminating"]').first().waitFor()
    expect(await page.locator('[data-pod][data-state="starting"]').count()).toBe(0)
    await page.screenshot({ path: join(pictures, 'dashboard-lost-node.png') })
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
    const focused = (script: string) => page.evaluate(`document.activeElement?.${script}`)
    const tabTo = async (script: string, wanted: string) => {
      for (let presses = 0; (await focused(script)) !== wanted; presses++) {
        expect(presses, wanted).toBeLessThan(60)
        await page.keyboard.press('Tab')
      }
    }
    await go('/')
    await page.locator('[data-key="Deployment/default/web"]').waitFor()
    await tabTo('dataset.filter', 'problem')
    await page.keyboard.press('Space')
    await expect.poll(() => page.locator('[data-key]').count()).toBe(1)
    await page.keyboard.press('Space')
    await tabTo("getAttribute('data-key')", 'Deployment/default/web')
    await page.keyboard.press('Enter')
    await page.getByTestId('legend').waitFor()
    expect(page.url()).toContain('#/workload/Deployment/default/web')
    await expect.poll(() => focused('tagName')).toBe('MAIN')
    await tabTo('textContent', 'Simulate a change …')
    await page.keyboard.press('Enter')
    await tabTo('name', 'image')
    await page.keyboard.type('example/web:4')
    await tabTo('className', 'row-list')
    await page.keyboard.press('End')
  })

  it.each(['/', '/nodes', '/node/node-2', '/workload/Deployment/default/web', '/time'])(
    'fits every screen, light and dark: %s',
    async (hash) => {
      await go(hash)
      await page.locator('h1').waitFor()
      for (const width of [390, 820, 1440])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: 900 })
          await page.emulateMedia({ colorScheme })
          // Charts follow a new width in the next frame.
          await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth'), { message: `${width}` }).toBe(true)
          await page.screenshot({ path: join(pictures, `dashboard-${width}-${colorScheme}${hash.replaceAll('/', '-')}.png`) })
        }
    },
  )

  it('says what is wrong with a token that is not accepted', async () => {
    const other = await browser.newContext({ ignoreHTTPSErrors: true })
    const refused = await other.newPage()
    await refused.goto(`${cluster.url}/ui/#token=wrong`)
    await refused.getByText("does not accept this page's token").waitFor()
    await expect.poll(() => refused.getByTestId('live').textContent()).toBe('not connected')
    await refused.screenshot({ path: join(pictures, 'dashboard-refused.png') })
    await other.close()
  })

  it('says which kinds it may not read, and shows the rest', async () => {
    const other = await browser.newContext({ ignoreHTTPSErrors: true })
    await other.route(/\/api\/v1\/nodes/, (route) => route.fulfill({ status: 403, json: { kind: 'Status', message: 'no', code: 403 } }))
    const limited = await other.newPage()
    await limited.goto(address())
    await limited.getByText('You may not list and watch Node: the page shows the rest.').waitFor()
    await limited.locator('[data-key="Deployment/default/web"]').waitFor()
    await limited.screenshot({ path: join(pictures, 'dashboard-forbidden.png') })
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
    const files = await Promise.all(['', 'app.js', 'app.css', 'worker.js'].map((name) => cluster.ask('GET', `/ui/${name}`)))
    expect(files.reduce((sum, { text }) => sum + gzipSync(text).length, 0)).toBeLessThan(80_000)
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
    expect(curl('-H', `Authorization: Bearer ${token}`, '-d', '{}', `${url}/rollcall/v1/explain`)).toBe('400')
    expect(curl('-H', 'Host: evil.example', `${url}/ui/`)).toBe('421')
    await other.close()
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
    expect(child.exitCode).toBe(0)
  })
})
