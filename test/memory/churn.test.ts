import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

interface Sample {
  readonly minute: number
  readonly liveBytes: number
  readonly events: number
}

const megabyte = 2 ** 20
const podsASecond = Number(process.env['ROLLCALL_CHURN_PODS'] ?? 5)
const minutes = Number(process.env['ROLLCALL_CHURN_MINUTES'] ?? 60)

it(`${minutes} minutes of churn of ${podsASecond} pods a second level off on the live heap`, { timeout: 7_200_000 }, async () => {
  // Inside node_modules, where the bundle finds what it leaves out.
  const folder = fileURLToPath(new URL('../../node_modules/.cache/rollcall/churn', import.meta.url))
  try {
    const script = join(folder, 'churn-cluster.mjs')
    await build({
      entryPoints: [fileURLToPath(new URL('churn-cluster.ts', import.meta.url))],
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
      external: ['re2js', 'yaml'],
      outfile: script,
      logLevel: 'error',
    })
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, String(podsASecond), String(minutes)])
    const samples = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Sample)
    console.log(samples.map(({ minute, liveBytes }) => `minute ${minute}: ${Math.round(liveBytes / megabyte)} MB`).join(', '))
    expect(samples).toHaveLength(6)
    for (const { liveBytes, events } of samples) {
      expect(liveBytes).toBeLessThan(300 * megabyte)
      expect(events).toBeLessThanOrEqual(21_000)
    }
    // By the half of it every bound has been reached.
    expect(samples[5]!.liveBytes).toBeLessThan(samples[2]!.liveBytes + 5 * megabyte)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
