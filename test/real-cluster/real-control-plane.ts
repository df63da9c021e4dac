// A real Kubernetes control plane on loopback: etcd and kube-apiserver, and with them kube-controller-manager and
// kube-scheduler where a test asks for them. ROLLCALL_KUBERNETES names the folder of the programs.
import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { realClock } from '../../src/base/clock.ts'
import type { Client } from '../../src/client/client.ts'
import type { Connection } from '../../src/client/connection.ts'
import { createHttpClient, type HttpClient } from '../../src/client/http-client.ts'

export const binaries = process.env['ROLLCALL_KUBERNETES'] ?? ''

const onPath = (program: string) => (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

/** Why these tests cannot run here; undefined when they can. */
export const missing =
  binaries === '' || !existsSync(join(binaries, 'kube-apiserver'))
    ? 'ROLLCALL_KUBERNETES names no folder with a real Kubernetes: scripts/build-kubernetes.sh makes one'
    : onPath('etcd')
      ? undefined
      : 'etcd is not installed'

export interface RealControlPlane {
  readonly connection: Connection
  readonly client: HttpClient
  readonly kubeconfig: string
  readonly folder: string
  /** Starts kube-controller-manager; `controllers` is its flag of that name. */
  startControllerManager(controllers?: string): Promise<ChildProcess>
  startScheduler(): Promise<ChildProcess>
  /** Kills the API server and starts it again. */
  restartApiServer(): Promise<void>
  /** What a program has printed. */
  logOf(program: string): string
  stop(): Promise<void>
}

const token = 'real-cluster-test'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

export async function startRealControlPlane(): Promise<RealControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-real-'))
  const running: ChildProcess[] = []
  const start = (program: string, path: string, args: readonly string[]) => {
    const child = spawn(path, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    const log = createWriteStream(join(folder, `${program}.log`), { flags: 'a' })
    child.stdout.pipe(log)
    child.stderr.pipe(log)
    running.push(child)
    return child
  }
  const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  const logOf = (program: string) => {
    const path = join(folder, `${program}.log`)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }

  const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()]
  const etcdUrl = `http://127.0.0.1:${etcdPort}`
  const peerUrl = `http://127.0.0.1:${peerPort}`
  start('etcd', 'etcd', [
    ...['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync', '--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl, '--initial-cluster', `default=${peerUrl}`],
  ])
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keyFile = join(folder, 'service-account.key')
  const publicFile = join(folder, 'service-account.pub')
  writeFileSync(keyFile, keys.privateKey.export({ type: 'pkcs1', format: 'pem' }))
  writeFileSync(publicFile, keys.publicKey.export({ type: 'spki', format: 'pem' }))
  writeFileSync(join(folder, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`)
  const apiServerFlags = [
    `--etcd-servers=${etcdUrl}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${join(folder, 'certificates')}`,
    `--service-account-key-file=${publicFile}`,
    `--service-account-signing-key-file=${keyFile}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--disable-admission-plugins=ServiceAccount',
    '--max-requests-inflight=2000',
    '--max-mutating-requests-inflight=1000',
  ]
  const startApiServer = () => start('kube-apiserver', join(binaries, 'kube-apiserver'), apiServerFlags)
  let apiServer = startApiServer()

  const server = `https://127.0.0.1:${port}`
  const connection: Connection = { server, skipTlsVerify: true, token: () => token }
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'real', cluster: { server, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'admin', user: { token } }],
      contexts: [{ name: 'real', context: { cluster: 'real', user: 'admin', namespace: 'default' } }],
      'current-context': 'real',
    }),
  )
  const client = createHttpClient({ connection, name: 'tester' })
  await untilReady(client, () => logOf('kube-apiserver'))

  return {
    connection,
    client,
    kubeconfig,
    folder,
    logOf,
    async startControllerManager(controllers = '*') {
      return start('kube-controller-manager', join(binaries, 'kube-controller-manager'), [
        `--kubeconfig=${kubeconfig}`,
        '--leader-elect=false',
        '--secure-port=0',
        `--controllers=${controllers}`,
        '--kube-api-qps=1000',
        '--kube-api-burst=2000',
      ])
    },
    async startScheduler() {
      return start('kube-scheduler', join(binaries, 'kube-scheduler'), [
        `--kubeconfig=${kubeconfig}`,
        '--leader-elect=false',
        '--secure-port=0',
        '--kube-api-qps=1000',
        '--kube-api-burst=2000',
      ])
    },
    async restartApiServer() {
      await end(apiServer, 'SIGKILL')
      apiServer = startApiServer()
      await untilReady(client, () => logOf('kube-apiserver'))
    },
    async stop() {
      client.close()
      for (const child of running.reverse()) await end(child, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The namespace `default` exists when the server has started in full. */
async function untilReady(client: Client, log: () => string): Promise<void> {
  const { namespaces } = await import('../../src/api/kinds.ts')
  const untilMs = realClock.now() + 120_000
  for (;;) {
    try {
      await client.get(namespaces, { name: 'default' })
      return
    } catch (error) {
      if (realClock.now() > untilMs) throw new Error(`kube-apiserver does not start: ${(error as Error).message}\n${log().slice(-2000)}`)
      await new Promise<void>((resolve) => void realClock.after(200, resolve))
    }
  }
}
