// Clusters in the background, as a user runs them: up --detach, kubectl, status, logs, down.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { command, kubectlMinor } from './running-cluster.ts'

const home = mkdtempSync(join(tmpdir(), 'rollcall-home-'))
const folder = join(home, 'project')
mkdirSync(folder)
const config = join(home, '.kube', 'config')
const environment = { PATH: process.env['PATH'], HOME: home }

function rollcall(...flags: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...flags], { cwd: folder, env: environment, encoding: 'utf8' })
  return { code: status, stdout, stderr }
}
const statusOf = (...flags: string[]) => JSON.parse(rollcall('status', '--output', 'json', ...flags).stdout)
const contexts = () => parse(readFileSync(config, 'utf8')).contexts.map(({ name }: { name: string }) => name)

afterAll(() => {
  rollcall('down', '--all', '--delete-data')
  rmSync(home, { recursive: true, force: true })
})

describe('a cluster in the background', { timeout: 120_000 }, () => {
  it.skipIf(kubectlMinor() === undefined)('starts, is listed, keeps its objects over a stop, and leaves nothing behind', () => {
    const up = rollcall('up', '--detach', '--port', '0', '--nodes', '2')
    expect(up).toMatchObject({ code: 0, stderr: '' })
    expect(up.stdout).toMatch(/^Rollcall is up at https:\/\/127\.0\.0\.1:\d+ [\s\S]*Stop it with rollcall down\.\n$/)
    const created = spawnSync('kubectl', ['create', 'namespace', 'kept'], { env: environment, encoding: 'utf8' })
    expect(created.stdout + created.stderr).toBe('namespace/kept created\n')

    expect(statusOf()).toMatchObject([{ state: 'running', context: 'rollcall', nodes: 2, pods: 0, terminatingPods: 0 }])
    expect(rollcall('status').stdout).toMatch(/^NAME .*\n- +running +https:\S+ +2 +0 +\d+s +\.rollcall\n$/)
    expect(rollcall('logs').stdout).toContain('Rollcall is up at')
    expect(rollcall('up', '--detach')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: The cluster is already running at/),
    })

    expect(rollcall('down')).toMatchObject({ code: 0, stdout: expect.stringContaining('is stopped. Its objects are kept in .rollcall') })
    expect(contexts()).toEqual([])
    expect(rollcall('status', '--data-dir', '.rollcall')).toMatchObject({ code: 1 })
    expect(rollcall('down')).toMatchObject({ code: 0, stdout: expect.stringContaining('is not running') })

    expect(rollcall('up', '-d', '-q', '--port', '0')).toEqual({ code: 0, stdout: '', stderr: '' })
    const found = spawnSync('kubectl', ['get', 'namespace', 'kept', '-o', 'name'], { env: environment, encoding: 'utf8' })
    expect(found.stdout).toBe('namespace/kept\n')
    writeFileSync(join(folder, '.rollcall', 'mine.txt'), 'not of Rollcall')
    expect(rollcall('down', '--delete-data').stdout).toBe('The cluster in .rollcall is stopped, and its data is deleted.\n')
    expect(existsSync(join(folder, '.rollcall', 'mine.txt'))).toBe(true)
    expect(existsSync(join(folder, '.rollcall', 'store'))).toBe(false)
    rmSync(join(folder, '.rollcall'), { recursive: true })
  })

  it('has a name of its own, beside another', () => {
    for (const name of ['a', 'b']) expect(rollcall('up', '--detach', '--memory', '--port', '0', '--name', name).code).toBe(0)
    expect(contexts()).toEqual(['rollcall-a', 'rollcall-b'])
    expect(statusOf('--name', 'a')).toMatchObject({ name: 'a', state: 'running' })
    expect(rollcall('up', '--name', 'a', '--data-dir', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('not both') })
    expect(rollcall('down')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /is not running\.\nNamed clusters are running\. Stop them with rollcall down --name a, rollcall down --name b\.\n$/,
      ),
    })
    expect(rollcall('up', '--name', 'a', '--memory', '--port', '0')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: The cluster is already running at \S+\. Stop it with rollcall down --name a\.\n$/),
    })
    expect(rollcall('down', '--all', '--name', 'a')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Leave it out') })
    expect(statusOf().map(({ state }: { state: string }) => state)).toEqual(['running', 'running'])
    expect(rollcall('down', '--all').stdout.split('\n')).toHaveLength(3)
    for (const verb of ['down', 'logs'])
      expect(rollcall(verb, '--name', 'c')).toMatchObject({ code: 1, stderr: expect.stringContaining('No cluster is named c.') })
  })

  it('shares its data directory with files of a project, which stay', () => {
    const project = join(folder, 'shared')
    const names = [
      '.gitignore',
      'kubeconfig',
      'store/index.ts',
      'store/snapshot.ts',
      'credentials/mine.key',
      'credentials/server.js',
      'journal-1',
    ]
    const mine = names.map((path) => join(project, path))
    for (const path of ['store', 'credentials']) mkdirSync(join(project, path), { recursive: true })
    for (const path of mine) writeFileSync(path, 'mine')
    expect(rollcall('down', '--data-dir', 'shared', '--delete-data')).toMatchObject({
      code: 0,
      stdout: 'The cluster in shared is not running. Nothing is deleted: the directory has no data of a cluster.\n',
    })
    expect(mine.filter((path) => !existsSync(path))).toEqual([])

    rmSync(join(project, 'kubeconfig'))
    expect(rollcall('up', '--detach', '--port', '0', '--data-dir', 'shared')).toMatchObject({ code: 0 })
    expect(rollcall('down', '--data-dir', 'shared', '--delete-data').stdout).toBe(
      'The cluster in shared is stopped, and its data is deleted.\n',
    )
    expect(readdirSync(project, { recursive: true }).sort()).toEqual([
      '.gitignore',
      'credentials',
      'credentials/mine.key',
      'credentials/server.js',
      'journal-1',
      'store',
      'store/index.ts',
      'store/snapshot.ts',
    ])
  })

  it('that cannot start reports why', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => blocker.once('listening', resolve))
    const { port } = blocker.address() as { port: number }
    const stderr = `error: Cannot listen on port ${port}: address in use. Choose another with --port, or --port 0 for any free one.\n`
    expect(rollcall('up', '--detach', '--port', String(port))).toMatchObject({ code: 1, stderr })
    // Nothing of them is left: rollcall status would list it as a cluster.
    const before = statusOf()
    for (const flags of [[], ['--detach']])
      expect(rollcall('up', ...flags, '--name', 'refused', '--port', String(port))).toMatchObject({ code: 1, stderr })
    blocker.close()
    expect(statusOf()).toEqual(before)
    expect(rollcall('down', '--name', 'refused')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No cluster is named refused.'),
    })
  })

  it('of which no process is left is forgotten by down', () => {
    rollcall('up', '--detach', '--memory', '--port', '0', '--name', 'killed')
    process.kill(statusOf('--name', 'killed').process, 'SIGKILL')
    expect(contexts()).toEqual(['rollcall-killed'])
    expect(rollcall('down', '--name', 'killed').stdout).toBe('Cluster killed is not running.\n')
    expect(contexts()).toEqual([])
  })
})

describe('rollcall version', () => {
  it('is machine-readable', () => {
    expect(JSON.parse(rollcall('version', '-o', 'json').stdout)).toMatchObject({ kubernetes: expect.stringMatching(/^v1\.37\./) })
  })
})
