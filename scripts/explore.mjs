// `npm run explore -- [NAME …]`: builds and runs src/explore/main.ts.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildBundle } from './build.mjs'
import { ensureInstalled, root, run } from './set-up.mjs'

ensureInstalled()
const outdir = join(root, 'node_modules/.cache/explore', String(process.pid))
mkdirSync(outdir, { recursive: true })
let status = 1
try {
  await buildBundle({ outdir, entryPoints: { explore: 'src/explore/main.ts' } })
  status = run(process.execPath, ['--max-old-space-size=4096', join(outdir, 'explore.mjs'), ...process.argv.slice(2)])
} finally {
  rmSync(outdir, { recursive: true, force: true })
}
process.exit(status)
