// A real Kubernetes control plane on loopback: etcd and kube-apiserver, and with them kube-controller-manager and
// kube-scheduler where a test asks for them. ROLLCALL_KUBERNETES names the folder of the programs, ROLLCALL_OLDER_KUBERNETES those of
// older kube-apiservers, separated by colons.
import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { realClock } from '../../src/base/clock.ts'
import type { Client } from '../../src/client/client.ts'
import type { Connection } from '../../src/client/connection.ts'
import { createHttpClient, type HttpClient } from '../../src/client/http-client.ts'
import { remoteControllerDefinitions } from '../../src/controllers/definitions.ts'
import { freePort } from '../front-door/free-port.ts'

const binaries = process.env['ROLLCALL_KUBERNETES'] ?? ''

const onPath = (program: string) => (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

const missingIn = (folder: string, variable: string, command: string) =>
  folder === '' || !existsSync(join(folder, 'kube-apiserver'))
    ? `${variable} names no folder with a real Kubernetes: ${command} makes one`
    : onPath('etcd')
      ? undefined
      : 'etcd is not installed'

/** Why these tests cannot run here; undefined when they can. */
export const missing = missingIn(binaries, 'ROLLCALL_KUBERNETES', 'scripts/build-kubernetes.sh')

/** The folders of older versions; without any, one that has no programs. */
export const olderBinaries = (process.env['ROLLCALL_OLDER_KUBERNETES'] ?? '').split(':')
export const missingOlder = (folder: string) => missingIn(folder, 'ROLLCALL_OLDER_KUBERNETES', 'scripts/build-kubernetes.sh older')

export interface RealControlPlane {
  readonly connection: Connection
  readonly client: HttpClient
  /** Of the administrator. */
  readonly kubeconfig: string
  /** Of another user; the requests of all of these are in the audit log. */
  kubeconfigOf(user: TestUser): string
  readonly folder: string
  /** Starts kube-controller-manager; `controllers` is its flag of that name. */
  startControllerManager(
    controllers?: string,
    options?: { readonly user?: TestUser; readonly flags?: readonly string[] },
  ): Promise<ChildProcess>
  startScheduler(options?: { readonly flags?: readonly string[] }): Promise<ChildProcess>
  /** The running processes: etcd, kube-apiserver and what was started since. */
  processIds(): Readonly<Record<string, number>>
  /** The requests of the test users that were answered, in the order of their arrival. */
  audit(): Promise<readonly AuditEvent[]>
  /** Kills the API server and starts it again. */
  restartApiServer(): Promise<void>
  /** What a program has printed. */
  logOf(program: string): string
  stop(): Promise<void>
}

const token = 'real-cluster-test'

/** Who the commands can be. The replicas may do everything; the service accounts what they are granted. */
const testUsers = {
  'replica-a': 'system:masters',
  'replica-b': 'system:masters',
  'system:serviceaccount:rollcall-system:rollcall-controllers': 'system:serviceaccounts',
  'system:serviceaccount:rollcall-system:rollcall-pacer': 'system:serviceaccounts',
  'system:serviceaccount:rollcall-system:rollcall-pacer-release': 'system:serviceaccounts',
} as const
export type TestUser = keyof typeof testUsers
export const serviceAccount: TestUser = 'system:serviceaccount:rollcall-system:rollcall-controllers'

export interface AuditEvent {
  readonly auditID: string
  readonly user: { readonly username: string }
  readonly verb: string
  readonly requestURI: string
  readonly requestReceivedTimestamp: string
  readonly stageTimestamp: string
  readonly responseStatus?: { readonly code?: number }
  readonly objectRef?: {
    readonly resource?: string
    readonly subresource?: string
    readonly apiGroup?: string
    readonly namespace?: string
    readonly name?: string
  }
}

/** kube-controller-manager's own controllers without those that Rollcall replaces. */
export const withoutWorkloadControllers = ['*', ...remoteControllerDefinitions.map(({ remote }) => `-${remote.builtIn}`)].join(',')

/**
 * `older`: the folder of an older kube-apiserver, which runs alone. New nodes get no taint there, since no controller would remove it.
 * `hasAccounts`: the ServiceAccount admission plugin is on.
 */
export async function startRealControlPlane({
  older,
  hasAccounts = false,
}: {
  older?: string
  hasAccounts?: boolean
} = {}): Promise<RealControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-real-'))
  const running: ChildProcess[] = []
  const processIds: Record<string, number> = {}
  const start = (program: string, path: string, args: readonly string[]) => {
    const child = spawn(path, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    const log = createWriteStream(join(folder, `${program}.log`), { flags: 'a' })
    child.stdout.pipe(log)
    child.stderr.pipe(log)
    running.push(child)
    if (child.pid !== undefined) processIds[program] = child.pid
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
  const users = [['admin', 'system:masters'], ...Object.entries(testUsers)]
  const tokenOf = (user: string) => (user === 'admin' ? token : `${token}-${user}`)
  writeFileSync(join(folder, 'tokens.csv'), users.map(([user, group]) => `${tokenOf(user!)},${user},${user},"${group}"\n`).join(''))
  const auditPolicy = join(folder, 'audit-policy.yaml')
  const auditLog = join(folder, 'audit.log')
  writeFileSync(
    auditPolicy,
    JSON.stringify({
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      rules: [{ level: 'Metadata', users: Object.keys(testUsers) }, { level: 'None' }],
    }),
  )
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
    ...(hasAccounts ? [] : [`--disable-admission-plugins=ServiceAccount${older === undefined ? '' : ',TaintNodesByCondition'}`]),
    '--enable-admission-plugins=OwnerReferencesPermissionEnforcement',
    `--audit-policy-file=${auditPolicy}`,
    `--audit-log-path=${auditLog}`,
    // As kubeadm sets it; the default begins with the host name, which nothing resolves here.
    '--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname',
    '--allow-privileged=true',
    '--max-requests-inflight=2000',
    '--max-mutating-requests-inflight=1000',
  ]
  const startApiServer = () => start('kube-apiserver', join(older ?? binaries, 'kube-apiserver'), apiServerFlags)
  let apiServer = startApiServer()

  const server = `https://127.0.0.1:${port}`
  const connection: Connection = { server, skipTlsVerify: true, token: () => token }
  const kubeconfigOf = (user: string) => {
    const path = join(folder, `kubeconfig-${user.replaceAll(':', '-')}`)
    writeFileSync(
      path,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'real', cluster: { server, 'insecure-skip-tls-verify': true } }],
        users: [{ name: user, user: { token: tokenOf(user) } }],
        contexts: [{ name: 'real', context: { cluster: 'real', user, namespace: 'default' } }],
        'current-context': 'real',
      }),
    )
    return path
  }
  const kubeconfig = kubeconfigOf('admin')
  const client = createHttpClient({ connection, name: 'tester' })
  await untilReady(client, () => logOf('kube-apiserver'))

  return {
    connection,
    client,
    kubeconfig,
    kubeconfigOf,
    folder,
    logOf,
    processIds: () => processIds,
    async audit() {
      // The last line may be only half written.
      const lines = (existsSync(auditLog) ? readFileSync(auditLog, 'utf8') : '').split('\n').slice(0, -1)
      const events = lines.map((line) => JSON.parse(line) as AuditEvent)
      return events.sort((a, b) => (a.requestReceivedTimestamp < b.requestReceivedTimestamp ? -1 : 1))
    },
    async startControllerManager(controllers = '*', { user, flags = [] } = {}) {
      return start('kube-controller-manager', join(binaries, 'kube-controller-manager'), [
        `--kubeconfig=${user === undefined ? kubeconfig : kubeconfigOf(user)}`,
        '--leader-elect=false',
        '--secure-port=0',
        `--controllers=${controllers}`,
        '--kube-api-qps=1000',
        '--kube-api-burst=2000',
        ...flags,
      ])
    },
    async startScheduler({ flags = [] } = {}) {
      return start('kube-scheduler', join(binaries, 'kube-scheduler'), [
        `--kubeconfig=${kubeconfig}`,
        '--leader-elect=false',
        '--secure-port=0',
        '--kube-api-qps=1000',
        '--kube-api-burst=2000',
        ...flags,
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
