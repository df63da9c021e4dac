// The command line: output, refusals, and files.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EndedProcess, endOf } from './ended-process.ts'
import { command, type RunningCluster, startCluster } from './running-cluster.ts'

let folder: string
const started: ChildProcess[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-command-'))
})
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function run(args: readonly string[]): Promise<EndedProcess> {
  const child = spawn(process.execPath, [command, ...args], { cwd: folder })
  started.push(child)
  return endOf(child)
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')

describe('help', () => {
  it.each([[['--help']], [['-h']], [['help']]])('describes the commands: %s', async (args) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/Usage: rollcall/)
    expect(stdout).toMatch(/^ {2}up .*start a cluster/m)
    expect(stdout).toContain('export KUBECONFIG=.rollcall/kubeconfig')
  })

  it.each([[['up', '--help']], [['help', 'up']]])('describes every flag of up: %s', async (args) => {
    const { code, stdout } = await run(args)
    expect(code).toBe(0)
    for (const flag of ['--nodes', '--data-dir', '--memory', '--host', '--port', '--kubeconfig', '--feature-gates'])
      expect(stdout).toMatch(new RegExp(`^  ${flag}\\b.* \\S`, 'm'))
    for (const gate of ['DeploymentPodReplacementPolicy', 'TerminatingAsActive', 'ExtendedWorkloadConditions'])
      expect(stdout).toMatch(new RegExp(`^  ${gate} +on +KEP-\\d+`, 'm'))
    for (const line of stdout.split('\n').filter((line) => !/ (on|off) {2}/.test(line))) expect(line.length, line).toBeLessThan(130)
  })

  it('shows the help, and fails, without a command', async () => {
    const { code, stdout, stderr } = await run([])
    expect(code).toBe(2)
    expect(stdout + stderr).toContain('Usage: rollcall')
  })

  it('prints its version', async () => {
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('wrong arguments', () => {
  it.each<[string, readonly string[], string]>([
    ['an unknown command', ['upp'], "unknown command 'upp'"],
    ['an unknown flag', ['up', '--prot', '1'], '(Did you mean --port?)'],
    ['too many arguments', ['up', 'now'], "too many arguments for 'up'"],
    ['a flag without its value', ['up', '--port'], "option '--port <port>' argument missing"],
    ['a port that is no number', ['up', '--port', 'x'], "'x' is invalid. Give a whole number from 0 to 65535."],
    ['a port that is too large', ['up', '--port', '65536'], 'Give a whole number from 0 to 65535.'],
    ['a port with a sign', ['up', '--port=-1'], 'Give a whole number from 0 to 65535.'],
    ['a port with an exponent', ['up', '--port', '1e3'], 'Give a whole number from 0 to 65535.'],
    ['a number of nodes that is no number', ['up', '--nodes', 'many'], "'many' is invalid"],
    ['a gate that does not exist', ['up', '--feature-gates=Nope=true'], 'unknown gate; the gates are DeploymentReplicaSet'],
    ['a gate named after a built-in', ['up', '--feature-gates=__proto__=true'], 'unknown gate'],
    [
      'a gate that is turned on without its prerequisite',
      ['up', '--feature-gates=AllBeta=false,DeploymentPodReplacementPolicy=true'],
      'it needs "DeploymentReplicaSetTerminatingReplicas", which is off',
    ],
    ['a gate without a value', ['up', '--feature-gates', 'PodDeletionCost'], 'write PodDeletionCost=true or PodDeletionCost=false'],
    [
      'an admission plugin that cannot be switched',
      ['up', '--enable-admission-plugins=ServiceAccount,LimitRanger,Nope'],
      'LimitRanger, Nope cannot be switched on or off; ServiceAccount can.',
    ],
    ['an empty list of admission plugins', ['up', '--disable-admission-plugins='], 'Give names, separated by commas.'],
    ['a gate with a value that is none', ['up', '--feature-gates', 'PodDeletionCost=yes'], '"yes" is not true or false'],
  ])('refuses %s', async (_name, args, said) => {
    const { code, stdout, stderr } = await run(args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(linesOf(stderr)).toHaveLength(1)
    expect(stderr).toContain(said)
    expect(stderr).toMatch(/^error: .* Run it with --help for usage\.\n$/)
    expect(existsSync(join(folder, '.rollcall')), 'it must not have begun').toBe(false)
  })
})

describe('a start that another program prevents', () => {
  const refused = async (flags: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(['up', ...flags])
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(linesOf(stderr)).toHaveLength(1)
    return stderr
  }

  it('reports that a port is in use, and names the flag to change it', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(await refused(['--memory', '--port', String(port), '--data-dir', join(folder, 'taken')])).toBe(
      `error: Cannot listen on port ${port}: address in use. Choose another with --port, or --port 0 for any free one.\n`,
    )
    server.close()
  })

  it('reports that a running cluster uses the kubeconfig, and does not overwrite it', async () => {
    const cluster = await startCluster(['--memory'], join(folder, 'twice'))
    const before = readFileSync(cluster.kubeconfig, 'utf8')
    expect(await refused(['--memory', '--port', '0', '--nodes', '0', '--data-dir', join(folder, 'twice')])).toBe(
      `error: Cannot write kubeconfig ${JSON.stringify(cluster.kubeconfig)}: the cluster of process ${cluster.process.pid} is using it. Choose another with --kubeconfig.\n`,
    )
    expect(readFileSync(cluster.kubeconfig, 'utf8')).toBe(before)
    const { json } = await cluster.ask('GET', '/api/v1/namespaces/default/services/kubernetes')
    expect(json).toMatchObject({ spec: { ports: [{ port: 443, targetPort: Number(new URL(cluster.url).port) }] } })
    await cluster.end('SIGINT')
  }, 60_000)

  it('reports that the data directory cannot be created', async () => {
    writeFileSync(join(folder, 'file'), '')
    expect(await refused(['--port', '0', '--data-dir', join(folder, 'file/below')])).toMatch(
      /^error: Cannot write to data directory ".*file\/below": .*\. Choose another with --data-dir\.\n$/,
    )
  })

  it('reports that the kubeconfig cannot be written, and leaves no server running', async () => {
    writeFileSync(join(folder, 'file'), '')
    const flags = ['--memory', '--port', '0', '--data-dir', join(folder, 'no-kubeconfig'), '--kubeconfig', join(folder, 'file/kubeconfig')]
    expect(await refused(flags)).toMatch(/^error: Cannot write kubeconfig ".*file\/kubeconfig": .*\. Choose another with --kubeconfig\.\n$/)
  })

  it.each([
    [
      'other clusters',
      'apiVersion: v1\nkind: Config\nclusters:\n- {name: prod, cluster: {server: https://prod}}\n- {name: rollcall, cluster: {server: https://x}}\n',
      'the existing file has other clusters (prod, rollcall)',
    ],
    ['something else', 'my notes\n', 'the existing file is not a kubeconfig'],
  ])('does not overwrite a file with %s', async (_what, text, why) => {
    const path = join(folder, 'precious')
    writeFileSync(path, text)
    const flags = ['--memory', '--port', '0', '--data-dir', join(folder, 'no-kubeconfig'), '--kubeconfig', path]
    expect(await refused(flags)).toBe(`error: Cannot write kubeconfig ${JSON.stringify(path)}: ${why}. Choose another with --kubeconfig.\n`)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it.each(['203.0.113.1', 'nowhere.invalid'])('reports that %s is not an address of this machine', async (host) => {
    expect(await refused(['--memory', '--port', '0', '--data-dir', join(folder, 'host'), '--host', host])).toBe(
      'error: Cannot listen on that address: it does not belong to this machine. Choose another with --host.\n',
    )
  })
})

describe('a running cluster', () => {
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' }, data: { a: 'b' } }
  let cluster: RunningCluster
  let data: string

  beforeAll(async () => {
    data = join(folder, 'data')
    cluster = await startCluster([], data)
  }, 60_000)
  afterAll(() => cluster?.end('SIGKILL'))

  it('prints what it did and how to use it, in a few lines', () => {
    const lines = cluster.output().trim().split('\n')
    expect(lines[0]).toMatch(/^Rollcall is up at https:\/\/127\.0\.0\.1:\d+ \(Kubernetes v1\.37 API\), after \d+ ms\.$/)
    expect(cluster.output()).toContain('export KUBECONFIG=data/kubeconfig')
    expect(lines.at(-1)).toBe('Ctrl-C stops it.')
    expect(lines.length).toBeLessThan(12)
  })

  it('writes files that only their owner can read', () => {
    // A file may be renamed between the two calls.
    const found = (readdirSync(data, { recursive: true }) as string[]).flatMap((name) => {
      const stat = statSync(join(data, name), { throwIfNoEntry: false })
      return stat === undefined ? [] : [{ name, stat }]
    })
    expect(found.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['kubeconfig', 'credentials', 'credentials/ca.key', 'credentials/admin.key', 'credentials/token', 'store']),
    )
    expect(statSync(data).mode & 0o777).toBe(0o700)
    const open = found.filter(({ stat }) => (stat.mode & 0o777) !== (stat.isDirectory() ? 0o700 : 0o600))
    expect(open.map(({ name }) => name)).toEqual([])
  })

  it('listens on loopback only', async () => {
    const port = Number(new URL(cluster.url).port)
    const others = Object.values(networkInterfaces()).flatMap((all) =>
      (all ?? []).filter(({ internal, family }) => !internal && family === 'IPv4'),
    )
    for (const { address } of others) {
      const socket = connect(port, address)
      const outcome = await Promise.race([once(socket, 'connect').then(() => 'connected'), once(socket, 'close')]).catch(() => 'refused')
      socket.destroy()
      expect(outcome, `connect to ${address}`).toBe('refused')
    }
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
  })

  it('refuses a second process on the same data directory, while the first keeps running', async () => {
    const { code, stdout, stderr } = await run(['up', '--port', '0', '--data-dir', data])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^error: Cannot open the store: directory ".*" is in use by process \d+\.\n$/)
    expect(stderr).toContain(`process ${cluster.process.pid}.\n`)
    expect((await cluster.ask('GET', '/readyz')).text).toBe('ok')
  })

  it('keeps running and stops cleanly when its output is closed', async () => {
    const unread = await startCluster(['--memory'], join(folder, 'unread'))
    unread.process.stdout?.destroy()
    unread.process.stderr?.destroy()
    expect((await unread.ask('GET', '/readyz')).code).toBe(200)
    expect(await unread.end('SIGTERM')).toBe(0)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stops cleanly at %s, and finds objects and credentials at the next start',
    async (signal) => {
      const before = { token: cluster.token, authority: readFileSync(join(data, 'credentials/ca.crt'), 'utf8') }
      const { json } = await cluster.ask('POST', '/api/v1/namespaces/default/configmaps', {
        ...configMap,
        metadata: { name: signal.toLowerCase() },
      })
      const watching = cluster.ask('GET', '/api/v1/namespaces/default/configmaps?watch=1').catch(() => undefined)
      await cluster.ask('GET', '/readyz')
      expect(await cluster.end(signal)).toBe(0)
      await watching
      expect(cluster.output()).toMatch(/Stopped\.\n$/)
      cluster = await startCluster([], data)
      expect((await cluster.ask('GET', `/api/v1/namespaces/default/configmaps/${signal.toLowerCase()}`)).json).toEqual(json)
      expect({ token: cluster.token, authority: readFileSync(join(data, 'credentials/ca.crt'), 'utf8') }).toEqual(before)
    },
    60_000,
  )

  it('forgets its objects in memory, and keeps its credentials', async () => {
    const place = join(folder, 'memory')
    const first = await startCluster(['--memory'], place)
    await first.ask('POST', '/api/v1/namespaces/default/configmaps', configMap)
    await first.end('SIGINT')
    const second = await startCluster(['--memory'], place)
    expect((await second.ask('GET', '/api/v1/namespaces/default/configmaps/kept')).code).toBe(404)
    expect(second.token).toBe(first.token)
    expect(existsSync(join(place, 'store'))).toBe(false)
    await second.end('SIGINT')
  }, 60_000)

  it('switches gates off', async () => {
    const without = await startCluster(['--memory', '--feature-gates=DeploymentPodReplacementPolicy=false'])
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: {
        podReplacementPolicy: 'TerminationComplete',
        selector: { matchLabels: { app: 'd' } },
        template: { metadata: { labels: { app: 'd' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    }
    const path = '/apis/apps/v1/namespaces/default/deployments'
    expect((await without.ask('POST', path, deployment)).json).not.toHaveProperty('spec.podReplacementPolicy')
    expect((await cluster.ask('POST', path, deployment)).json).toHaveProperty('spec.podReplacementPolicy', 'TerminationComplete')
    await without.stop()
  }, 60_000)
})
