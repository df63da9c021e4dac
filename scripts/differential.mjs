// `npm run differential -- [FLAGS]`: builds and runs test/differential/run.ts.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildBundle } from './build.mjs'
import { ensureInstalled, root, run } from './set-up.mjs'

ensureInstalled()
// Below node_modules, so that packages outside the bundle are found.
const outdir = join(root, 'node_modules/.cache/differential', String(process.pid))
mkdirSync(outdir, { recursive: true })
let status = 1
try {
  await buildBundle({ outdir, entryPoints: { differential: 'test/differential/run.ts' } })
  status = run(process.execPath, [join(outdir, 'differential.mjs'), ...process.argv.slice(2)])
} finally {
  rmSync(outdir, { recursive: true, force: true })
}
process.exit(status)
