// The examples, as a user runs them after `npm install`. testing-library.test.ts runs examples/testing.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command, kubectlMinor, root } from './running-cluster.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollcall-examples-'))
const { NODE_TEST_CONTEXT: _, VITEST: __, KUBECONFIG: ___, ...inherited } = process.env
const env = { ...inherited, HOME: folder, XDG_DATA_HOME: join(folder, 'data'), NO_COLOR: '1', PATH: '' }
/** Built by .ci/run: compiling client-go takes minutes. */
const goController = process.env['ROLLCALL_EXAMPLE_GO'] ?? ''
/** A Python with the client of examples/controller-python/requirements.txt, installed by .ci/run. */
const python = process.env['ROLLCALL_EXAMPLE_PYTHON'] ?? ''

beforeAll(() => {
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true, filter: (path) => !/node_modules|venv|dist$/.test(path) })
  // It lies above the examples in a clone.
  cpSync(join(root, 'vitest.config.ts'), join(folder, 'vitest.config.ts'))
  mkdirSync(join(folder, 'node_modules/@kubernetes'), { recursive: true })
  // As npm installs `file:../..` and the packages.
  symlinkSync(root, join(folder, 'node_modules/rollcall'))
  for (const name of ['vitest', 'typescript', 'esbuild', '@kubernetes/client-node'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'rollcall'), `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`)
  chmodSync(join(bin, 'rollcall'), 0o755)
  env.PATH = [bin, join(root, 'node_modules/.bin'), inherited['PATH']].join(delimiter)
})
afterAll(() => {
  spawnSync(join(folder, 'bin/rollcall'), ['down', '--all', '--delete-data'], { cwd: folder, env })
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

async function run(example: string, typed: string, more: Readonly<Record<string, string>> = {}) {
  const cwd = join(folder, 'examples', example)
  const child = spawn('bash', ['-c', typed], { cwd, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'], timeout: 200_000 })
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: code as number | null, output: `${output}${errors}` }
}

describe.concurrent('the examples', { timeout: 240_000 }, () => {
  it('vitest: passes, and its types are right', async () => {
    const { code, output } = await run('vitest', 'npm test && npm run types')
    expect(output).toMatch(/Tests +2 passed/)
    expect(code, output).toBe(0)
  })

  it('controller-typescript: labels every pod', async () => {
    const { code, output } = await run('controller-typescript', 'npm test')
    expect(code, output).toBe(0)
  })

  it.skipIf(!existsSync(goController))('controller-go: labels every pod (ROLLCALL_EXAMPLE_GO names the built controller)', async () => {
    const { code, output } = await run('controller-go', 'npm test', { CONTROLLER: goController })
    expect(code, output).toBe(0)
  })

  it.skipIf(!existsSync(python))(
    'controller-python: labels every pod (ROLLCALL_EXAMPLE_PYTHON names a Python with the client)',
    async () => {
      const { code, output } = await run('controller-python', 'npm test', { PYTHON: python })
      expect(code, output).toBe(0)
    },
  )

  it.skipIf(kubectlMinor() === undefined)('chart-in-ci: passes with the policy, and fails without it', async () => {
    const kept = await run('chart-in-ci', './check.sh')
    expect(kept.code, kept.output).toBe(0)
    const { code, output } = await run('chart-in-ci', './check.sh', { POLICIES: 'None' })
    expect(code).toBe(1)
    expect(output).toContain('error: not as expected under None: peakPods <= 13: it is 20.')
  })

  it.skipIf(kubectlMinor() === undefined)('pacer: keeps the cap on a cluster whose controllers do not', async () => {
    const flags = '--detach --quiet --port 0 --memory --name pacer --feature-gates=DeploymentPodReplacementPolicy=false'
    const { code, output } = await run('pacer', `rollcall up ${flags} && ./pace.sh; code=$?; rollcall down --name pacer; exit $code`)
    // It counts as often as the machine allows, and ends with an error where it has counted more.
    expect(output).toMatch(/^At most [0-5] pods had a node\.$/m)
    expect(code, output).toBe(0)
  })
})
