// Reports as people see them: the built command makes one, and a real browser opens it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderReport } from '../../src/simulate/report/render-report.ts'
import { sampleResult } from '../../src/simulate/report/testing/sample-result.ts'
import { type Outcome, podStates, type SimulationResult } from '../../src/simulate/rollout/result.ts'
import { chromiumPath, openFile, startBrowser } from './browser.ts'
import { readChartLines } from './chart-series.ts'
import { command } from './running-cluster.ts'

const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, annotations: { about: "</script><script>document.title = 'broken out'</script>" } }
spec:
  replicas: 10
  strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } }
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      terminationGracePeriodSeconds: 60
      containers: [{ name: web, image: "example/web:1" }]
`

/** The state at one moment. */
const valueAt = ({ times }: Outcome['series'], values: readonly number[], ms: number) => values[times.findLastIndex((time) => time <= ms)]!

describe.skipIf(chromiumPath === undefined)('the report, in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-report-'))
  const pictures = process.env['ROLLCALL_PICTURES'] ?? join(folder, 'pictures')
  const report = join(folder, 'report.html')
  let browser: Browser
  let result: SimulationResult
  /** The outcomes that have a chart: equal outcomes share a card. */
  const cards = () => {
    const known = new Set<string>()
    return result.outcomes.filter(({ series }) => {
      const key = JSON.stringify(series)
      return !known.has(key) && known.add(key)
    })
  }

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true })
    writeFileSync(join(folder, 'web.yaml'), manifest)
    const flags =
      '-f web.yaml --to image=example/web:2 --startup 20s±5s --stop 40s±8s --fault web:evict=2@70s --report report.html --json result.json'
    const { status, stderr } = spawnSync(process.execPath, [command, 'simulate', ...flags.split(' ')], { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`rollcall simulate ended with ${status}: ${stderr}`)
    result = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as SimulationResult
    browser = await startBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('draws the numbers of the JSON', async () => {
    const { page, complaints, requests } = await openFile(browser, report)
    const charts = await readChartLines(page)
    expect(charts).toHaveLength(cards().length)
    let compared = 0
    for (const [index, { series }] of cards().entries()) {
      const lines = new Map(charts[index]!.map((line) => [line.name, line]))
      const layers = podStates.flatMap((state) =>
        series.layers.filter((layer) => layer.state === state).sort((a, b) => a.revision - b.revision),
      )
      for (const [at, ms] of series.times.entries()) {
        // The start of a path is rounded to a hundredth of a pixel.
        const momentMs = ms + 60
        if (momentMs >= (series.times[at + 1] ?? Number.POSITIVE_INFINITY)) continue
        compared++
        let edge = 0
        for (const { revision, state, values } of layers) {
          edge += values[at]!
          const drawn = lines.get(`${revision}-${state}`)
          if (drawn !== undefined) expect(drawn.valueAt(momentMs), `${revision}-${state} at ${ms}`).toBeCloseTo(edge, 1)
          else expect(values.every((value) => value === 0)).toBe(true)
        }
        for (const name of ['cap', 'desired', 'nodes'] as const)
          expect(lines.get(name)!.valueAt(momentMs), `${name} at ${ms}`).toBeCloseTo(series[name][at]!, 1)
      }
    }
    expect(compared).toBeGreaterThan(40)
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [] })
    await page.close()
  })

  it('shows the measures of the JSON, and marks values over the cap', async () => {
    const { page } = await openFile(browser, report)
    const shown = await page.$$eval('td[data-measure]', (cells) =>
      cells.map((cell) => [(cell as HTMLElement).dataset['measure'], (cell as HTMLElement).dataset['value'], cell.className]),
    )
    const peaks = shown.filter(([measure]) => measure === 'peakPods')
    expect(peaks.map(([, value]) => Number(value))).toEqual(result.outcomes.map(({ measures }) => measures.peakPods))
    for (const [index, { measures }] of result.outcomes.entries()) expect(peaks[index]![2] === 'over').toBe(measures.peakOverCap > 0)
    expect(result.outcomes[0]!.measures.peakOverCap).toBeGreaterThan(0)
    await page.close()
  })

  it('shows the values of one moment in all charts, under the mouse and by keys', async () => {
    const { page } = await openFile(browser, report)
    const read = () =>
      page.$$eval('.outcome', (cards) =>
        cards.map((card) =>
          Object.fromEntries(
            [...card.querySelectorAll<HTMLElement>('[data-value]')].map((cell) => [cell.dataset['value'], Number(cell.textContent)]),
          ),
        ),
      )
    const expectedAt = (ms: number) =>
      cards().map(({ series }) => ({
        // Pods that wait for the pacer hold no room.
        total: series.layers.reduce((sum, { state, values }) => sum + (state === 'waiting' ? 0 : valueAt(series, values, ms)), 0),
        cap: valueAt(series, series.cap, ms),
        nodes: valueAt(series, series.nodes, ms),
        available: valueAt(series, series.available, ms),
      }))
    const plot = page.locator('.plot').first()
    await plot.scrollIntoViewIfNeeded()
    const box = (await plot.boundingBox())!
    const scales = await page.$eval('svg.chart', (chart) => ({ ...(chart as SVGSVGElement).dataset }))
    const [left, width, endMs] = [Number(scales['left']), Number(scales['width']), Number(scales['endMs'])]
    for (const share of [0.05, 0.2, 0.45, 0.9]) {
      const x = Math.round(box.x + left + share * width)
      await page.mouse.move(x, box.y + 60)
      await expect.poll(read).toMatchObject(expectedAt(((x - box.x - left) / width) * endMs))
      await expect.poll(() => page.locator('.cross:not([hidden])').count()).toBe(cards().length)
    }
    await page.mouse.move(2, 2)
    await expect.poll(() => page.locator('.cross:not([hidden])').count()).toBe(0)

    await plot.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    const second = result.outcomes[0]!.series.times[2]!
    await expect.poll(read).toMatchObject(expectedAt(second))
    await expect.poll(() => plot.getAttribute('aria-valuetext')).toContain(`${expectedAt(second)[0]!.total} pods of at most 13`)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.cross:not([hidden])').count()).toBe(0)
    await page.close()
  })

  it('follows a finger', async () => {
    const { page } = await openFile(browser, report, { width: 360, hasTouch: true })
    await page
      .locator('.plot')
      .nth(1)
      .tap({ position: { x: 200, y: 80 } })
    await expect.poll(() => page.locator('.cross:not([hidden])').count()).toBe(cards().length)
    await page.close()
  })

  it('hides and shows a layer in all charts', async () => {
    const { page } = await openFile(browser, report)
    const drawn = () => page.locator('[data-layer="1-terminating"]').count()
    const before = await drawn()
    expect(before).toBe(cards().length)
    const button = page.getByRole('button', { name: 'Show revision 1, terminating' }).first()
    await button.click()
    await expect.poll(async () => [await drawn(), await button.getAttribute('aria-pressed')]).toEqual([0, 'false'])
    // The remaining layers start at zero.
    const charts = await readChartLines(page)
    const { series } = result.outcomes[0]!
    const shown = series.layers.filter(({ revision, state }) => revision !== 1 || state !== 'terminating')
    const ms = series.times.at(-1)! / 3
    const highest = Math.max(...charts[0]!.filter(({ name }) => name.includes('-')).map((line) => line.valueAt(ms)))
    expect(highest).toBeCloseTo(
      shown.reduce((sum, { values }) => sum + valueAt(series, values, ms), 0),
      1,
    )
    await button.click()
    await expect.poll(drawn).toBe(before)
    await page.close()
  })

  it('switches between light and dark, and follows the system', async () => {
    const { page } = await openFile(browser, report, { scheme: 'dark' })
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const dark = await paper()
    await page.getByRole('button', { name: 'Light' }).click()
    const light = await paper()
    expect(light).not.toBe(dark)
    await page.getByRole('button', { name: 'Dark' }).click()
    await expect.poll(paper).toBe(dark)
    await page.getByRole('button', { name: 'System' }).click()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(paper).toBe(light)
    await page.close()
  })

  for (const width of [360, 800, 1280])
    for (const scheme of ['light', 'dark'] as const)
      it(`fits ${width} pixels, ${scheme}`, async () => {
        const { page, complaints } = await openFile(browser, report, { width, scheme })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
        const cut = await page.$$eval(
          '.outcome',
          (cards) =>
            cards.flatMap((card) =>
              [...card.querySelectorAll('svg.chart, .readout table, .toggle')].filter(
                (part) => part.getBoundingClientRect().right > card.getBoundingClientRect().right,
              ),
            ).length,
        )
        expect(cut).toBe(0)
        // Names of columns do not run into each other, and cards beside each other have level charts.
        const covered = await page.$$eval(
          '.readout thead tr',
          (rows) =>
            rows.flatMap((row) => {
              const boxes = [...row.querySelectorAll('th')].map((head) => {
                const range = document.createRange()
                range.selectNodeContents(head)
                return range.getBoundingClientRect()
              })
              return boxes.filter((box, index) => index > 0 && box.left < boxes[index - 1]!.right)
            }).length,
        )
        expect(covered).toBe(0)
        expect(await page.locator('.scroll-hint').isVisible()).toBe(width < 640)
        const picture = await page.screenshot({ path: join(pictures, `${width}-${scheme}.png`), fullPage: true })
        expect(picture.length).toBeGreaterThan(20_000)
        expect(complaints).toEqual([])
        await page.close()
      })

  it('keeps charts side by side level, whatever the length of a title and the reason of a stuck rollout', async () => {
    const { page } = await openFile(browser, report, { width: 1280 })
    const tops = await page.$$eval('.outcome', ([first]) => {
      first!.querySelector('h3')!.textContent =
        'A title that is much longer than a card is wide, as that of a workload with a long name can be'
      first!.querySelector('.outcome-head')!.insertAdjacentHTML('afterend', '<div class="failed stuck">It does not complete.</div>')
      return [...document.querySelectorAll('.plot')].slice(0, 2).map((plot) => Math.round(plot.getBoundingClientRect().top))
    })
    expect(tops).toHaveLength(2)
    expect(tops[0]).toBe(tops[1])
    await page.close()
  })

  it('is printed without cutting a chart', async () => {
    const { page } = await openFile(browser, report)
    await page.emulateMedia({ media: 'print' })
    // As high as an A4 page with its margins, in pixels of a drawing of its width.
    const pageHeight = ((297 - 28) / 25.4) * 96
    const cards = await page.$$eval('.outcome', (all) =>
      all.map((card) => ({ height: card.getBoundingClientRect().height, inside: getComputedStyle(card).breakInside })),
    )
    for (const card of cards) {
      expect(card.inside).toBe('avoid')
      expect(card.height).toBeLessThan(pageHeight)
    }
    const pdf = await page.pdf({ path: join(pictures, 'report.pdf'), format: 'A4', printBackground: true })
    expect(pdf.length).toBeGreaterThan(20_000)
    await page.close()
  })

  it('executes no code from the data, and shows it as text', async () => {
    const evil = `</script><img src=x onerror="document.title='broken out'"><script>document.title='broken out'</script>`
    const sample = sampleResult({ title: evil, manifest: evil })
    const marks = [{ atMs: 5, type: 'fault' as const, object: evil, text: evil }]
    const path = join(folder, 'evil.html')
    writeFileSync(path, renderReport({ ...sample, outcomes: sample.outcomes.map((outcome) => ({ ...outcome, label: evil, marks })) }))
    const { page, complaints, requests } = await openFile(browser, path)
    await page.locator('.happened summary').first().click()
    expect(await page.locator('h1').textContent()).toBe(evil)
    expect(await page.locator('.marks li .text').first().textContent()).toContain(evil)
    expect(await page.title()).toContain('<img')
    expect(await page.locator('img').count()).toBe(0)
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [] })
    await page.close()
  })

  it('copies the command', async () => {
    const { page } = await openFile(browser, report)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const button = page.locator('[data-copies="command"]')
    await button.click()
    await expect.poll(() => button.textContent()).toBe('Copied')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(result.command)
    await page.close()
  })

  it('draws a hundred thousand moments quickly, with their peak', async () => {
    const path = join(folder, 'large.html')
    const large = largeResult(100_000)
    writeFileSync(path, renderReport(large))
    const { page, complaints } = await openFile(browser, report)
    const session = await page.context().newCDPSession(page)
    // Processor time, which does not depend on other load of the machine.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const secondsOfWork = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'TaskDuration')!.value
    }
    const before = await secondsOfWork()
    await page.goto(`file://${path}`)
    await page.screenshot()
    const loaded = await secondsOfWork()
    // On two busy cores: 1 s, and 9 ms for a move.
    expect(loaded - before).toBeLessThan(8)
    expect(loaded - before).toBeGreaterThan(0.05)
    const plot = page.locator('.plot').first()
    await plot.scrollIntoViewIfNeeded()
    const box = (await plot.boundingBox())!
    const unmoved = await secondsOfWork()
    for (let step = 0; step < 50; step++) await page.mouse.move(box.x + 60 + 4 * step, box.y + 80)
    expect((await secondsOfWork()) - unmoved).toBeLessThan(2)
    const charts = await readChartLines(page)
    const { series } = large.outcomes[0]!
    const peakMs = series.times[77_777]!
    // A pixel is more than a second wide here: a state that lasts for a hundredth of it has no width.
    const ready = charts[0]!.find(({ name }) => name === '1-ready')!
    expect(ready.highestIn(peakMs - 3000, peakMs + 3000)).toBeCloseTo(12_345, -2)
    expect(complaints).toEqual([])
    await page.close()
  })
})

/** Two revisions with random changes, and a peak at one moment. */
function largeResult(count: number): SimulationResult {
  const times = Array.from({ length: count }, (_, index) => index * 10)
  const flat = (value: number) => times.map(() => value)
  const wave = (distance: number) =>
    times.map((_, index) => Math.round(4000 + 2000 * Math.sin(index / 900 + distance) + ((index * 7919) % 40)))
  const sample = sampleResult()
  const outcomes = sample.outcomes.map((outcome) => {
    const layers = outcome.series.layers.map((layer, place) => ({ ...layer, values: wave(place).map((value) => Math.round(value / 4)) }))
    const ready = layers.map((layer) =>
      layer.revision === 1 && layer.state === 'ready'
        ? { ...layer, values: layer.values.map((value, at) => (at === 77_777 ? 12_345 : value)) }
        : layer,
    )
    return { ...outcome, series: { times, layers: ready, desired: flat(10_000), cap: flat(12_500), available: wave(0), nodes: flat(100) } }
  })
  return { ...sample, outcomes }
}
