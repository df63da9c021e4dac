// The dashboard in Chromium, with 10,000 pods on 500 nodes and 500 changes a second: how often the page changes, how smoothly lists scroll, and the
// memory of the browser's process for the page. `--minutes 10` watches the memory for longer, `--quick` uses a tenth of the pods, nodes and time. The server and the browser share the
// processors: on two of them they compete.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { Connection } from './connection.ts'
import { DashboardLoad, largest } from './dashboard-load.ts'
import { megabytesOf, pause } from './measuring.ts'
import { startOwnServer } from './started-server.ts'
import { number, printTable, quantile, type Row } from './table.ts'
import { measureWorkerHeap } from './worker-heap.ts'

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '1' },
    changes: { type: 'string', default: '500' },
    chromium: { type: 'string' },
  },
})
const changesPerSecond = Number(flags.changes)
const scale = flags.quick ? 0.1 : 1
const minutes = flags.quick ? 0.1 : Number(flags.minutes)
const measuredMs = flags.quick ? 2000 : 10_000
const executablePath = flags.chromium ?? process.env['ROLLCALL_CHROMIUM'] ?? '/usr/bin/chromium'

/** Counts frames in which the document changed, and frames while a list scrolls. Runs in the page. */
const probe = `
  globalThis.probe = {
    updates: 0,
    start() {
      let isDirty = false
      new MutationObserver(() => { isDirty = true }).observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true, characterData: true })
      const tick = () => { if (isDirty) { this.updates++; isDirty = false } requestAnimationFrame(tick) }
      requestAnimationFrame(tick)
    },
    scroll(ms) {
      return new Promise((resolve) => {
        const list = document.querySelector('.row-list')
        const frames = []
        const startMs = performance.now()
        let [lastMs, step] = [startMs, 30]
        const tick = (nowMs) => {
          frames.push(nowMs - lastMs)
          lastMs = nowMs
          const before = list.scrollTop
          list.scrollTop += step
          if (list.scrollTop === before) step = -step
          if (nowMs - startMs < ms) requestAnimationFrame(tick)
          else resolve({ frames, rows: list.querySelectorAll('.row').length })
        }
        requestAnimationFrame(tick)
      })
    },
  }
  probe.start()`

interface Scrolled {
  readonly frames: readonly number[]
  readonly rows: number
}

const rows: Row[] = []
const { server, client, dataDir, stop } = await startOwnServer(0, ['--memory'])
const token = readFileSync(join(dataDir, 'credentials/token'), 'utf8').trim()
const load = new DashboardLoad(client, scale)
let browser: Browser | undefined

/** The memory of the process that runs the page and its worker, in megabytes, without the contents of files. */
async function readMemory(session: CDPSession): Promise<number> {
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as { processInfo: readonly { type: string; id: number }[] }
  const own = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => megabytesOf(id, 'RssAnon'))
  return Math.max(0, ...own.filter((megabytes) => !Number.isNaN(megabytes)))
}

const updatesOf = (page: Page) => page.evaluate('probe.updates') as Promise<number>

async function measurePage(page: Page, name: string, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await page.locator('.row-list .row').first().waitFor()
  await pause(2000)
  const [before, startMs, changes] = [await updatesOf(page), performance.now(), load.changes]
  await pause(measuredMs)
  const seconds = (performance.now() - startMs) / 1000
  const updates = ((await updatesOf(page)) - before) / seconds
  const done = (load.changes - changes) / seconds
  rows.push({
    what: `${name}: updates a second, at ${number(done, 0)} changes a second`,
    result: number(updates),
    target: '2',
    ratio: updates / 2,
  })
  const { frames, rows: inDocument } = (await page.evaluate(`probe.scroll(${measuredMs / 2})`)) as Scrolled
  const perSecond = 1000 / (frames.reduce((sum, ms) => sum + ms, 0) / frames.length)
  rows.push({ what: '  frames a second while its list scrolls', result: number(perSecond), target: '30', ratio: perSecond / 30 })
  rows.push({ what: '  the slowest frame of a hundred', result: `${number(quantile(frames, 0.99), 0)} ms` })
  rows.push({ what: '  rows in the document', result: number(inDocument, 0) })
}

try {
  // Only the page reacts to the changes.
  const connection = await Connection.open(server.target)
  const stopped = await connection.send(
    connection.head('POST', '/rollcall/v1/faults', 'application/json'),
    JSON.stringify({ target: 'controller', name: 'all', action: 'stop' }),
  )
  if (stopped.code !== 201) throw new Error(`Cannot stop the controllers: ${stopped.code}`)
  connection.close()
  await load.create()
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] })
  const page = await (await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 900 } })).newPage()
  const system = await browser.newBrowserCDPSession()
  const metrics = await page.context().newCDPSession(page)
  await metrics.send('Performance.enable')
  const startMs = performance.now()
  await page.goto(`https://${server.target.authority}/ui/#token=${token}`)
  await page.locator(`[data-key="Deployment/default/${largest}"]`).waitFor({ timeout: 120_000 })
  rows.push({
    what: `${number(load.podCount, 0)} pods: until the page shows them`,
    result: `${number((performance.now() - startMs) / 1000)} s`,
  })
  await page.evaluate(probe)
  load.start(changesPerSecond)
  await measurePage(page, 'Workloads', '#/')
  await measurePage(page, 'Nodes', '#/nodes')
  await measurePage(page, `a Deployment of ${number(3000 * scale, 0)} pods`, `#/workload/Deployment/default/${largest}`)
  const samples: number[] = []
  const [before, watchedMs, cpu] = [await updatesOf(page), performance.now(), server.cpuSeconds()]
  while (performance.now() - watchedMs < minutes * 60_000) {
    await pause(flags.quick ? 1000 : 5000)
    samples.push(await readMemory(system))
  }
  const seconds = (performance.now() - watchedMs) / 1000
  const updates = ((await updatesOf(page)) - before) / seconds
  rows.push({
    what: `that page, over ${number(minutes * 60, 0)} s: updates a second`,
    result: number(updates),
    target: '2',
    ratio: updates / 2,
    cost: `${number(server.cpuSeconds() - cpu)} s`,
  })
  const most = Math.max(...samples)
  const third = Math.floor(samples.length / 3)
  rows.push({ what: '  memory of its process at the most', result: `${number(most, 0)} MB`, target: '300 MB', ratio: 300 / most })
  rows.push({
    what: '  median of the middle and of the last third',
    result: `${number(quantile(samples.slice(third, 2 * third), 0.5), 0)} and ${number(quantile(samples.slice(2 * third), 0.5), 0)} MB`,
  })
  const { metrics: found } = (await metrics.send('Performance.getMetrics')) as { metrics: readonly { name: string; value: number }[] }
  const value = (name: string) => found.find((one) => one.name === name)?.value ?? Number.NaN
  rows.push({ what: '  heap of the page, without its worker', result: `${number(value('JSHeapUsedSize') / 2 ** 20)} MB` })
  const { total, live, buffers } = await measureWorkerHeap(metrics)
  rows.push({ what: '  heap of its worker, and what is left of it after a collection', result: `${number(total)} and ${number(live)} MB` })
  rows.push({ what: '  buffers of its worker', result: `${number(buffers)} MB` })
  rows.push({
    what: '  its main thread at work',
    result: `${number((value('TaskDuration') / ((performance.now() - startMs) / 1000)) * 100, 0)} %`,
  })
  if (load.failures > 0) rows.push({ what: 'changes that failed', result: number(load.failures, 0) })
  printTable(rows)
} finally {
  load.stop()
  await browser?.close()
  await stop()
}
process.exit(0)
