// --output json of every command that reports, --verbose, and the one style of errors.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { command } from './running-cluster.ts'

const home = mkdtempSync(join(tmpdir(), 'rollcall-json-'))
const cwd = join(home, 'project')
mkdirSync(cwd)
const env = { PATH: process.env['PATH'], HOME: home }
function rollcall(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { cwd, env, encoding: 'utf8' })
  return { code: status, stdout, stderr }
}
const json = (...args: string[]) => {
  const { stdout, stderr, code } = rollcall(...args, '--output', 'json')
  expect([stderr, code]).toEqual(['', 0])
  return JSON.parse(stdout) as unknown
}

let up: ReturnType<typeof rollcall>
const other = createServer()
/** Occupies the default port. False: the cluster of another test has it, and may release it at any moment. */
const takePort = () =>
  new Promise<boolean>((resolve) => {
    other.once('error', () => resolve(false))
    other.listen(6443, '127.0.0.1', () => resolve(true))
  })
beforeAll(async () => {
  for (let isTaken = false; !isTaken; ) {
    isTaken = await takePort()
    up = rollcall('up', '--detach', '--paused', '--verbose', '--start-time', '2026-01-01T00:00:00Z', '--seed', '7')
    isTaken ||= !up.stdout.includes('https://127.0.0.1:6443')
    if (!isTaken) rollcall('down', '--delete-data')
  }
})
afterAll(() => {
  rollcall('down', '--all', '--delete-data')
  other.close()
  rmSync(home, { recursive: true, force: true })
})

describe('rollcall', { timeout: 120_000 }, () => {
  it('says that the default port is taken, and prints details with --verbose', () => {
    expect(up).toMatchObject({ code: 0, stderr: '' })
    expect(up.stdout).toMatch(/\n {2}port {8}\d+, because port 6443 is in use; choose one with --port\n/)
    expect(up.stdout).toMatch(/\n {2}seed {8}7\n {2}gates {7}DeploymentReplicaSetTerminatingReplicas=true, /)
  })

  it('prints JSON where it reports', () => {
    expect(json('step', '1m')).toMatchObject({ from: '2026-01-01T00:00:00.000000Z', to: '2026-01-01T00:01:00.000000Z', end: 'time' })
    expect(json('pause')).toMatchObject({ paused: true })
    expect(json('chaos', 'node', 'node-1', 'down')).toMatchObject({ message: 'node-1 is down', fault: { id: 'f1' } })
    expect(json('chaos', 'list')).toMatchObject([{ id: 'f1' }])
    expect(json('chaos', 'clear')).toEqual({ cleared: 1 })
    expect(json('resume', '--speed', '2')).toMatchObject({ paused: false, speed: 2 })
    expect(json('status')).toMatchObject([{ state: 'running' }])
    expect(parse(rollcall('status', '-o', 'yaml').stdout)).toEqual(json('status'))
    expect(rollcall('status', '-o', 'name').stdout).toBe('-\n')
    expect(rollcall('version', '--json')).toMatchObject({ code: 0, stderr: 'hint: --json is written -o json now.\n' })
    expect(json('down')).toMatchObject([{ wasRunning: true, dataDeleted: false }])
    expect(json('store', 'verify', '.rollcall')).toMatchObject({ damages: [] })
    expect(json('swarm', '--seeds', '2')).toMatchObject({ from: 1, seeds: 2, failures: [] })
    expect(json('swarm', '--seed', '3')).toMatchObject({ seed: 3, passes: true })
  })

  it('finds a cluster whose kubeconfig is elsewhere, and prints that kubeconfig', () => {
    const [dataDir, kubeconfig] = [join(home, 'elsewhere'), join(home, 'own.yaml')]
    const flags = ['--data-dir', dataDir]
    rollcall('up', '--detach', '--memory', '--nodes', '1', '--port', '0', '--kubeconfig', kubeconfig, ...flags)
    expect(json('status', ...flags)).toMatchObject({ state: 'running', nodes: 1 })
    expect(rollcall('kubeconfig', ...flags)).toEqual({ code: 0, stdout: readFileSync(kubeconfig, 'utf8'), stderr: '' })
    expect(rollcall('kubeconfig', '--group', 'a', ...flags)).toMatchObject({
      code: 2,
      stderr: 'error: --group is of another user. Name it with --user.\n',
    })
    expect(rollcall('chaos', 'list', ...flags)).toMatchObject({ code: 0 })
    rollcall('down', ...flags)
  })

  it('says what starts a cluster beside another one', () => {
    const first = ['--data-dir', join(home, 'first')]
    const second = ['--data-dir', join(home, 'second')]
    const flags = ['--detach', '--memory', '--nodes', '0', '--port', '0']
    expect(rollcall('up', ...flags, ...first)).toMatchObject({ code: 0, stderr: '' })
    const { code, stderr } = rollcall('up', ...flags, ...second)
    const advice = / belongs to a cluster that is running at \S+\. Add --kubeconfig (\S+)\.\n$/.exec(stderr)?.[1]
    expect([code, advice]).toEqual([1, expect.stringContaining('second/kubeconfig')])
    expect(rollcall('up', ...flags, ...second, '--kubeconfig', advice!)).toMatchObject({ code: 0, stderr: '' })
    expect(json('status', ...second)).toMatchObject({ state: 'running' })
    for (const one of [first, second]) rollcall('down', ...one)
  })

  it.each([
    [['status', '--nods'], 2, /^error: .*--nods.*\n$/],
    [['step', '1m', '--data-dir', 'none'], 2, /^error: [^\n]+\n$/],
    [['down', '--name', 'none'], 1, /^error: No cluster is named none\. rollcall status lists the clusters\.\n$/],
    [['simulate', '-f', 'none.yaml'], 2, /^error: no such file: none\.yaml\.\n$/],
    [['simulate', '-f', 'none.yaml', '--verbose'], 2, /^error: no such file: none\.yaml\.\n.*at /s],
    [['store', 'verify', 'none'], 1, /^error: [^\n]+\n$/],
  ])('reports the error of %j in one line', (args, code, message) => {
    expect(rollcall(...args)).toEqual({ code, stdout: '', stderr: expect.stringMatching(message) })
  })
})
