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

it('an hour of churn levels off on the live heap', { timeout: 600_000 }, async () => {
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
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script])
    const samples = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Sample)
    expect(samples.map(({ minute }) => minute)).toEqual([10, 20, 30, 40, 50, 60])
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
