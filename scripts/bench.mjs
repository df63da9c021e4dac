// `npm run bench [-- NAME …] [-- FLAGS]`: builds the benchmarks and the command into a folder of their own, and runs them.
// NAME is `store`, `scheduler`, `rollouts`, `workloads`, `virtual`, `fleet`, `controllers`, `pacer`, `drains`, `custom-resources`, `dashboard`, or a row of docs/benchmarks.md. Without a NAME, all rows of the API server run.
import { mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { buildBundle, buildDashboard } from './build.mjs'
import { ensureInstalled, root, run } from './set-up.mjs'

ensureInstalled()
// Below node_modules, so that packages outside the bundle are found. Each run has a folder of its own: a measured server may load
// further chunks at any time.
const outdir = join(root, 'node_modules/.cache/bench', String(process.pid))
mkdirSync(outdir, { recursive: true })
let status = 1
try {
  const names = [
    'server',
    'store',
    'in-process',
    'scheduler',
    'workloads',
    'rollouts',
    'virtual',
    'fleet',
    'controllers',
    'pacer',
    'drains',
    'custom-resources',
    'dashboard',
  ]
  const benches = Object.fromEntries(names.map((name) => [`bench-${name}`, `bench/${name}.ts`]))
  await buildBundle({
    outdir,
    external: ['playwright-core'],
    entryPoints: { rollcall: 'src/cli/main.ts', 'simulation-worker': 'src/simulate/rollout/run-worker.ts', ...benches },
  })
  const args = process.argv.slice(2)
  // These run together when no name is given.
  const together = ['server', 'in-process']
  const own = names.find((name) => name === args[0] && !together.includes(name))
  if (own === 'dashboard') await buildDashboard(relative(root, join(outdir, 'ui')))
  // These benchmarks start processes: Kubernetes' programs from a folder, and the command that was just built.
  if (own === 'controllers' || own === 'pacer' || own === 'drains') {
    process.env.ROLLCALL_COMMAND = join(outdir, 'rollcall.mjs')
    if (args[1] !== undefined && !args[1].startsWith('-')) process.env.ROLLCALL_KUBERNETES = args[1]
  }
  const file = join(outdir, `bench-${own ?? 'server'}.mjs`)
  status = run(process.execPath, ['--expose-gc', file, ...(own ? args.slice(1) : args)])
} finally {
  rmSync(outdir, { recursive: true, force: true })
}
process.exit(status)
