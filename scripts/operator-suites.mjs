// Runs the test suites of published operators, unchanged, with Rollcall as their envtest: `npm run operator-suites -- [flags] [suite …]`.
//   --rounds N       how often each suite runs (1)
//   --latency 50ms   ROLLCALL_LATENCY of the stand-in; 0 for none
//   --assets FOLDER  other programs than Rollcall's, such as a real kube-apiserver with etcd, for comparison
// The modules come from the Go module proxy; what was built is kept in ~/.cache/rollcall. Ends with 1 when a spec fails.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt, ensureInstalled, root } from './set-up.mjs'

const cache = process.env.ROLLCALL_KUBERNETES_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'rollcall')

/** `specs`: how many pass on a real kube-apiserver. */
const suites = {
  lws: { module: 'sigs.k8s.io/lws', version: 'v0.8.0', folder: 'test/integration/controllers', specs: 48 },
  jobset: { module: 'sigs.k8s.io/jobset', version: 'v0.11.0', folder: 'test/integration/controller', specs: 57 },
  kueue: {
    module: 'sigs.k8s.io/kueue',
    version: 'v0.15.2',
    folder: 'test/integration/singlecluster/controller/jobs/job',
    specs: 60,
    prepare: renderDefinitions,
  },
}

/** As kueue's Makefile does. */
function renderDefinitions(source) {
  const rendered = run('kubectl', ['kustomize', join(source, 'config/components/crd')])
  mkdirSync(join(source, 'config/components/crd/_output'), { recursive: true })
  writeFileSync(join(source, 'config/components/crd/_output/crds-with-webhooks.yaml'), rendered)
}

function run(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28, ...options })
  if (error !== undefined || status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

/** Builds the suite unless it was built before. Returns its folder, in which `suite.test` lies next to the sources. */
function build(name, { module, version, folder, prepare }) {
  const built = join(cache, `suite-${name}-${version}`)
  if (existsSync(built)) return built
  process.stderr.write(`building ${name} ${version}, which takes some minutes …\n`)
  const { Dir } = JSON.parse(run('go', ['mod', 'download', '-json', `${module}@${version}`], { cwd: tmpdir() }))
  mkdirSync(cache, { recursive: true })
  const part = mkdtempSync(join(cache, `suite-${name}-part-`))
  // Modules are read-only in the cache of Go.
  cpSync(Dir, join(part, 'src'), { recursive: true })
  run('chmod', ['-R', 'u+w', part])
  prepare?.(join(part, 'src'))
  const out = join(part, 'suite.test')
  run('go', ['test', '-c', '-vet=off', '-trimpath', '-ldflags', '-s -w', '-o', out, '.'], { cwd: join(part, 'src', folder) })
  renameSync(part, built)
  return built
}

function makeAssets() {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-operator-suites-'))
  run(process.execPath, [join(root, 'dist/rollcall.mjs'), 'envtest', 'assets', folder])
  return folder
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '1' },
    latency: { type: 'string', default: '50ms' },
    assets: { type: 'string' },
  },
})
const unknown = positionals.find((name) => !(name in suites))
if (unknown !== undefined) throw new Error(`There is no suite ${unknown}. There are ${Object.keys(suites).join(', ')}.`)
const chosen = Object.entries(suites).filter(([name]) => positionals.length === 0 || positionals.includes(name))
const folders = new Map(chosen.map(([name, suite]) => [name, build(name, suite)]))
ensureInstalled()
await ensureBuilt()
const assets = values.assets === undefined ? makeAssets() : resolve(values.assets)
// On a busy machine twenty seconds for the start are not always enough.
const env = { ...process.env, KUBEBUILDER_ASSETS: assets, ROLLCALL_LATENCY: values.latency, KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: '90s' }
for (let round = 1; round <= Number(values.rounds); round++) {
  for (const [name, { version, folder, specs }] of chosen) {
    const built = folders.get(name)
    const started = Date.now()
    const { stdout } = spawnSync(join(built, 'suite.test'), ['--ginkgo.no-color'], {
      cwd: join(built, 'src', folder),
      env,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
    const passed = Number(/-- (\d+) Passed/.exec(stdout)?.[1] ?? 0)
    const seconds = Math.round((Date.now() - started) / 1000)
    process.stdout.write(`${name} ${version}, round ${round}: ${passed} of ${specs} specs in ${seconds} s\n`)
    if (passed !== specs) {
      process.exitCode = 1
      process.stdout.write(`${stdout.match(/^\s*\[FAIL\].*$/gm)?.join('\n') ?? stdout.slice(-3000)}\n`)
    }
  }
}
