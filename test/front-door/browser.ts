// A real browser: the machine's own Chromium.
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

const places = [process.env['ROLLCALL_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Undefined where there is none. */
export const chromiumPath = places.find((place) => place !== undefined && existsSync(place))

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
}

interface OpenedPage {
  readonly page: Page
  /** Errors, warnings and refused requests of the page. */
  readonly complaints: string[]
  /** The requests of the page, besides that for the page itself. */
  readonly requests: string[]
}

interface OpenOptions {
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
  readonly hasTouch?: boolean
}

export async function openFile(browser: Browser, path: string, options: OpenOptions = {}): Promise<OpenedPage> {
  const { width = 1280, height = 900, scheme = 'light', hasTouch = false } = options
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme, hasTouch })
  const complaints: string[] = []
  const requests: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (request.url() !== `file://${path}`) requests.push(request.url())
  })
  await page.goto(`file://${path}`)
  return { page, complaints, requests }
}
