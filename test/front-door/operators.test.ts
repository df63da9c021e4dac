// Operators and their envtest suites, unchanged: controller-runtime's own, and those of test/operator. scripts/build-operator-tests.sh builds them.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { command } from './running-cluster.ts'

const folder = process.env['ROLLCALL_OPERATOR_TESTS']
const assets = mkdtempSync(join(tmpdir(), 'rollcall-operators-'))

/** Packages of controller-runtime, with the number of their specs that pass on a real kube-apiserver. The slowest come first. */
const packages: Readonly<Record<string, number>> = {
  cache: 276,
  manager: 107,
  'internal/controller': 75,
  webhook: 8,
  client: 311,
  builder: 72,
  handler: 96,
  'controller/controllerutil': 60,
  'manager/internal/integration': 2,
  cluster: 15,
  controller: 32,
  'internal/recorder': 5,
  'metrics/filters': 2,
  reconcile: 9,
  source: 19,
}

beforeAll(() => {
  const { status } = spawnSync(process.execPath, [command, 'envtest', 'assets', assets])
  expect(status).toBe(0)
})
afterAll(() => {
  if (existsSync('/proc/self/environ')) readdirSync('/proc').forEach(endIfLeftOver)
  rmSync(assets, { recursive: true, force: true })
})

/** Some suites do not stop all servers that they start. Their environment names the folder of this run. */
function endIfLeftOver(pid: string): void {
  try {
    if (readFileSync(join('/proc', pid, 'environ'), 'utf8').includes(`KUBEBUILDER_ASSETS=${assets}\0`)) process.kill(Number(pid))
  } catch {
    // It is not a process, or has exited.
  }
}

async function run(file: string, args: readonly string[], cwd: string, controllers = ''): Promise<{ code: number; output: string }> {
  // On a busy machine, neither Gomega's default of a second nor twenty seconds for the start are always enough.
  const patience = { GOMEGA_DEFAULT_EVENTUALLY_TIMEOUT: '30s', KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: '90s' }
  const env = { ...process.env, ...patience, KUBEBUILDER_ASSETS: assets, ROLLCALL_CONTROLLERS: controllers }
  const child = spawn(file, args, { cwd, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output += piece
    })
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exit) => resolve(exit ?? -1))
  })
  return { code, output }
}

// The suites mostly wait.
vi.setConfig({ maxConcurrency: 2 })

describe.skipIf(folder === undefined)('controller-runtime', () => {
  it.concurrent.each(Object.keys(packages))('%s', { timeout: 600_000 }, async (name) => {
    const root = join(folder!, 'controller-runtime')
    const file = join(root, `${name.replaceAll('/', '-')}.test`)
    // Some specs allow a second for what takes longer on a busy machine, and some suites end when another program has taken the port that
    // they chose: also with a real kube-apiserver.
    const runSuite = () => run(file, ['--ginkgo.no-color', '--ginkgo.flake-attempts=3'], join(root, 'src/pkg', name))
    let { code, output } = await runSuite()
    for (let again = 0; again < 2 && code !== 0; again++) ({ code, output } = await runSuite())
    const passed = Number(/-- (\d+) Passed/.exec(output)?.[1])
    expect([code, passed], output.slice(-5000)).toEqual([0, packages[name]])
  })
})

describe.skipIf(folder === undefined)('an operator with a custom resource, webhooks and a Deployment', () => {
  const source = join(import.meta.dirname, '../operator')
  it.each([
    ['as on a real envtest', 'operator.test', '', 4],
    ['with the controllers of Kubernetes, which a real envtest lacks', 'operator-controllers.test', 'all', 6],
  ])('passes its suite %s', { timeout: 120_000 }, async (_, file, controllers, tests) => {
    const { code, output } = await run(join(folder!, file), ['-test.v'], source, controllers)
    expect([code, output.match(/^--- PASS/gm)?.length], output.slice(-5000)).toEqual([0, tests])
  })
})
