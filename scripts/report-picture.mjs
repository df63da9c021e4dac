// `node scripts/report-picture.mjs`: makes docs/pictures/report.png from a real run of `rollcall simulate`. Needs Chromium.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { root } from './set-up.mjs'

const command = process.env.ROLLCALL_COMMAND ?? join(root, 'dist/rollcall.mjs')
const flags = '-f examples/simulate/web.yaml --to image=example/web:2 --startup 20s±5s --stop 45s±15s --policies none,TerminationComplete'
const folder = mkdtempSync(join(tmpdir(), 'rollcall-picture-'))
const report = join(folder, 'report.html')
const picture = join(root, 'docs/pictures/report.png')
const { status } = spawnSync(process.execPath, [command, 'simulate', ...flags.split(' '), '--report', report], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
})
if (status !== 0) process.exit(status ?? 1)

const browser = await chromium.launch({
  executablePath: process.env.ROLLCALL_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1180, height: 900 }, deviceScaleFactor: 1.25 })
  await page.goto(`file://${report}`)
  // Two cards: what goes over the cap, beside what does not.
  const place = await page.locator('.runs').boundingBox()
  mkdirSync(join(root, 'docs/pictures'), { recursive: true })
  const edge = 14
  await page.screenshot({
    path: picture,
    fullPage: true,
    clip: { x: place.x - edge, y: place.y - edge, width: place.width + 2 * edge, height: place.height + 2 * edge },
  })
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${picture}: ${Math.round(statSync(picture).size / 1024)} KB`)
