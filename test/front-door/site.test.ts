// The documentation as people read it: a real browser opens every page of the site, on a desktop and on a phone.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// @ts-expect-error: a script without types
import { buildSite } from '../../scripts/docs.mjs'
import { chromiumPath, openFile, startBrowser } from './browser.ts'

describe.skipIf(chromiumPath === undefined)('the site, in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-site-'))
  let browser: Browser
  beforeAll(async () => {
    await buildSite(folder)
    browser = await startBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each([1280, 390])(
    'shows every table without scrolling sideways at a width of %i',
    async (width) => {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
        (name) => name.endsWith('.html') && !/^files/.test(name),
      )
      const { page } = await openFile(browser, join(folder, 'index.html'), { width })
      const tooWide: string[] = []
      for (const name of names) {
        await page.goto(`file://${join(folder, name)}`)
        const found = await page.evaluate(() => {
          const frames = [document.documentElement, ...document.querySelectorAll('.wide')]
          return frames
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map(({ textContent }) => textContent?.slice(0, 60))
        })
        tooWide.push(...found.map((text) => `${name}: ${text}`))
      }
      expect(names.length).toBeGreaterThan(30)
      expect(tooWide).toEqual([])
    },
    120_000,
  )

  it('finds what is spelt with a mistake', async () => {
    const { page } = await openFile(browser, join(folder, 'index.html'), { width: 1280 })
    await page.fill('#site-search', 'terminatoin grace')
    expect(await page.textContent('#site-results p')).toBe('Results for “termination grace”.')
    expect(await page.locator('#site-results a').count()).toBeGreaterThan(0)
    await page.fill('#site-search', 'terminat')
    expect(await page.locator('#site-results p').count()).toBe(0)
  })
})
