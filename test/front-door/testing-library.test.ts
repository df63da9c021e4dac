// `rollcall/testing` in a project that depends on the built package.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from './running-cluster.ts'

/** The built package; another build can be named for a try. */
const builtPackage = process.env['ROLLCALL_PACKAGE'] ?? root
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-testing-'))
  cpSync(join(root, 'examples/testing'), folder, { recursive: true, filter: (path) => !path.includes('node_modules') })
  mkdirSync(join(folder, 'node_modules'))
  // As npm installs `file:../..`.
  symlinkSync(builtPackage, join(folder, 'node_modules/rollcall'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// Without the variables of this test runner, which would disturb the one that is started.
const { NODE_TEST_CONTEXT: _, ...env } = process.env
const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env, timeout: 120_000 })

const life = `
import { createCluster } from 'rollcall/testing'
const cluster = await createCluster({ seed: Number(process.argv[2]), interleave: true, callDelay: '20ms', watchDelay: '100ms' })
const template = (image) => ({ metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image }] } })
const deployment = (image) => ({
  apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' },
  spec: { replicas: 5, selector: { matchLabels: { app: 'a' } }, template: template(image) },
})
await cluster.apply(deployment('one'))
await cluster.advance('1m')
await cluster.apply(deployment('two'))
cluster.failNextWrites(3)
await cluster.advance('1s')
await cluster.crashControllers()
await cluster.startControllers()
await cluster.settle()
console.log(cluster.trace().join('\\n'))
console.log(JSON.stringify(await cluster.list('pod')))
await cluster.stop()
`

describe('rollcall/testing', () => {
  it('runs the example project', () => {
    const { status, stdout, stderr } = node('--test', '--test-reporter=tap')
    expect(stdout + stderr).toMatch(/# pass 6\n# fail 0/)
    expect(status).toBe(0)
  }, 130_000)

  it('gives the same bytes for the same seed in two processes', () => {
    writeFileSync(join(folder, 'life.mjs'), life)
    const [first, second, other] = [node('life.mjs', '5'), node('life.mjs', '5'), node('life.mjs', '6')]
    expect(first.stderr).toBe('')
    expect(first.stdout.split('\n').length).toBeGreaterThan(100)
    expect(second.stdout).toBe(first.stdout)
    expect(other.stdout).not.toBe(first.stdout)
  }, 130_000)
})
