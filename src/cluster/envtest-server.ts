// The API server for tests of operators (envtest): takes the place of kube-apiserver and etcd. Objects are kept in memory; the certificates, keys and
// addresses are those that the caller names, with the flags of kube-apiserver.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { kinds as builtInKinds } from '../api/kinds.ts'
import type { FeatureGates } from '../api/machinery/feature-gates.ts'
import { KindSet } from '../api/machinery/kind-set.ts'
import type { SwitchablePlugin } from '../api/machinery/switchable-plugins.ts'
import { realClock, sleep } from '../base/clock.ts'
import { messageOf } from '../base/error-message.ts'
import { machineRandom } from '../base/random.ts'
import type { NodeSpec } from '../nodes/node-object.ts'
import { createAuthenticator } from '../server/auth/authenticator.ts'
import { createServiceAccountAuthenticator } from '../server/auth/service-account-authenticator.ts'
import { ServiceAccountTokens } from '../server/auth/service-account-tokens.ts'
import { createDocuments } from '../server/documents.ts'
import { createRest } from '../server/rest/create-rest.ts'
import { addLatency, betweenWritesMs } from '../server/rest/latency.ts'
import { startServer } from '../server/server.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { readAdmissionConfiguration } from './admission-configuration.ts'
import { type RunningControllers, startControllers } from './controllers.ts'
import { createAuthority, createCertificate } from './credentials/certificates.ts'
import { localHosts, writePrivately } from './credentials/credentials.ts'
import { applyFlowControl } from './flow-control.ts'
import { createInProcessClient } from './in-process-client.ts'
import { applyBootstrapRoles } from './rbac/bootstrap-objects.ts'
import { applyServicePort, applyServiceRange, applySystemObjects } from './system-objects.ts'

interface EnvtestServerOptions {
  readonly host: string
  readonly port: number
  /** Has apiserver.crt and apiserver.key; they are created where they are missing. */
  readonly certDir: string | undefined
  /** Client certificates that this authority has signed are accepted. */
  readonly clientAuthority: string | undefined
  /** Files with keys: the first is the issuer's, the others verify tokens. */
  readonly signingKeyFile: string | undefined
  readonly keyFiles: readonly string[]
  readonly issuer: string
  readonly gates: FeatureGates
  /** The admission plugins that are on, of those that can be switched. */
  readonly admissionPlugins: readonly SwitchablePlugin[]
  /** How long each write takes, and how much later watchers observe it. */
  readonly latencyMs: number
  /** A file with an AdmissionConfiguration. */
  readonly admissionConfiguration?: string | undefined
  /** The controllers to run, by the names of ./controllers.ts. */
  readonly controllers: 'none' | 'all' | readonly string[]
  readonly nodes: readonly NodeSpec[]
  readonly version: string
  log(line: string): void
}

interface EnvtestServer {
  readonly url: string
  stop(): Promise<void>
}

export async function startEnvtestServer(options: EnvtestServerOptions): Promise<EnvtestServer> {
  const { host, gates, log, issuer } = options
  const podSecurity = await readAdmissionConfiguration(options.admissionConfiguration, log)
  const store = openMemoryStore()
  const signingKey = readSigningKey(options)
  const verificationKeys = options.keyFiles.map(readPublicKey)
  const tokens = new ServiceAccountTokens({ signingKey, verificationKeys, issuer })
  const kinds = new KindSet(builtInKinds)
  let isStopping = false
  const onFailure = (what: string, error: unknown) => {
    if (!isStopping) log(`${what}: ${messageOf(error)}`)
  }
  const { latencyMs } = options
  const ownRest = createRest({
    store,
    betweenWrites: () => sleep(realClock, betweenWritesMs(latencyMs)),
    gates,
    reviewToken: (token, audiences) => authenticator.reviewToken(token, audiences),
    tokens,
    kinds,
    admissionPlugins: options.admissionPlugins,
    podSecurity,
    onFailure,
    findPodServer: (pod, port) => running?.fleet?.findServer(pod, port),
  })
  const latency = latencyMs > 0 ? addLatency(ownRest, realClock, latencyMs) : undefined
  const rest = { ...ownRest, ...latency?.rest }
  const authenticator = createAuthenticator([], {
    serviceAccounts: createServiceAccountAuthenticator(tokens, rest.readBound, () => realClock.now()),
    audiences: [issuer],
  })
  const client = createInProcessClient({ rest: ownRest, kinds, name: 'rollcall' })
  await applySystemObjects(client, options.port)
  await applyServiceRange(client)
  await Promise.all([applyBootstrapRoles(client), applyFlowControl(client)])
  const { tls, authority } = readTls(options)
  let running: RunningControllers | undefined
  const server = await startServer({
    rest,
    kinds,
    host,
    port: options.port,
    tls,
    ...(latency && { beforeRead: latency.beforeRead }),
    authenticate: authenticator.authenticate,
    authorizer: rest.authorizer,
    tokens,
    findDocument: createDocuments(kinds, `${host}:${options.port}`),
    version: options.version,
    readLog: (pod, request) => running?.fleet?.readLog(pod, request) ?? '',
    exec: (...request) => running?.fleet?.exec(...request),
    respondHttp: (pod, container, request) => running?.fleet?.answerHttp(pod, container, request),
    log,
  })
  await applyServicePort(client, server.port)
  if (options.controllers !== 'none')
    running = startControllers({
      clientFor: (name) => createInProcessClient({ rest, kinds, name }),
      servesPolicies: true,
      clock: realClock,
      random: machineRandom,
      gates,
      kinds,
      rootCertificate: authority,
      nodes: options.nodes,
      podLife: { issueToken: rest.issuePodToken, mountsTrustBundles: true },
      ...(options.controllers !== 'all' && { only: options.controllers }),
      onFailure,
    })
  return {
    url: server.url,
    async stop() {
      isStopping = true
      await running?.stop()
      await server.close()
      await store.close()
    },
  }
}

function readTls({ certDir, clientAuthority, host }: EnvtestServerOptions) {
  const paths = certDir === undefined ? undefined : { cert: join(certDir, 'apiserver.crt'), key: join(certDir, 'apiserver.key') }
  const ca = clientAuthority === undefined ? undefined : readFileSync(clientAuthority, 'utf8')
  if (paths !== undefined && existsSync(paths.cert) && existsSync(paths.key)) {
    const cert = readFileSync(paths.cert, 'utf8')
    return { tls: { cert, key: readFileSync(paths.key, 'utf8'), ca: ca ?? cert }, authority: ca ?? cert }
  }
  const nowMs = realClock.now()
  const own = createAuthority('rollcall', nowMs)
  const hosts = localHosts.includes(host) ? localHosts : [...localHosts, host]
  const made = createCertificate(own, { commonName: 'kube-apiserver', use: 'server', hosts }, nowMs)
  if (paths !== undefined) {
    writePrivately(paths.cert, made.certificate + own.certificate)
    writePrivately(paths.key, made.key)
  }
  return { tls: { cert: made.certificate + own.certificate, key: made.key, ca: ca ?? own.certificate }, authority: own.certificate }
}

function readSigningKey({ signingKeyFile }: EnvtestServerOptions): KeyObject {
  if (signingKeyFile === undefined) return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  return createPrivateKey(readFileSync(signingKeyFile))
}

const readPublicKey = (path: string): KeyObject => createPublicKey(readFileSync(path))
