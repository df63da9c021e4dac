// Clusters that start from a common state: a cluster in memory is prepared once, and each fork starts from its objects with a server, controllers and a time
// of its own. Records are immutable, so that the forks share them.
import { createPrivateKey, randomBytes } from 'node:crypto'
import { kinds as builtInKinds } from '../api/kinds.ts'
import type { FeatureGates } from '../api/machinery/feature-gates.ts'
import { KindSet } from '../api/machinery/kind-set.ts'
import { AdjustableClock } from '../base/adjustable-clock.ts'
import { realClock } from '../base/clock.ts'
import { seededPart } from '../base/random.ts'
import type { Client } from '../client/client.ts'
import type { NodeSpec } from '../nodes/node-object.ts'
import { createAuthenticator } from '../server/auth/authenticator.ts'
import { createServiceAccountAuthenticator } from '../server/auth/service-account-authenticator.ts'
import { ServiceAccountTokens } from '../server/auth/service-account-tokens.ts'
import { createDocuments } from '../server/documents.ts'
import type { FindFault } from '../server/http/request-faults.ts'
import { createRest } from '../server/rest/create-rest.ts'
import { startServer } from '../server/server.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import type { StoreContent } from '../store/revision-store.ts'
import type { Store } from '../store/store.ts'
import { startControllers } from './controllers.ts'
import { type Credentials, createCredentials, localHosts } from './credentials/credentials.ts'
import { applyFlowControl } from './flow-control.ts'
import { createInProcessClient } from './in-process-client.ts'
import { monitoringFor } from './node-monitoring.ts'
import { applyBootstrapRoles } from './rbac/bootstrap-objects.ts'
import { applyServicePort, applyServiceRange, applySystemObjects } from './system-objects.ts'
import { followWrites } from './time/pending-writes.ts'

interface PrepareOptions {
  readonly gates: FeatureGates
  readonly nodes: readonly NodeSpec[]
  /** The controllers to run, by name, besides those of the nodes. */
  readonly controllers: 'all' | readonly string[]
  readonly seed: number
  readonly version: string
  log(line: string): void
}

interface ForkOptions {
  /** Judges the requests that come over HTTP. */
  findFault?(fork: { readonly store: Store; readonly clock: AdjustableClock }): FindFault
}

interface ForkedCluster {
  readonly url: string
  readonly port: number
  readonly store: Store
  readonly kinds: KindSet
  /** An administrator's client inside the process. */
  readonly client: Client
  /** Time is paused, and advances in steps. */
  readonly clock: AdjustableClock
  /** A kubeconfig for an administrator of that name. */
  kubeconfig(user: ForkUser): string
  /** The objects, for further forks. */
  content(): StoreContent
  stop(): Promise<void>
}

/** The users that a fork knows: the program under test, its second instance, and the one who plays the scenario. */
const forkUsers = ['program', 'program-2', 'scenario'] as const
export type ForkUser = (typeof forkUsers)[number]

const issuer = 'https://kubernetes.default.svc.cluster.local'
/** Nodes never miss their heartbeats, and hardly ever send one. */
const graceMs = 20 * 3_600_000
const heartbeatMs = graceMs / 4

export class ForkableCluster {
  readonly #options: PrepareOptions
  /** Names, uids and times differ from fork to fork, as in clusters. */
  #forks = 0
  readonly #credentials: Credentials = createCredentials(localHosts, realClock.now())
  readonly #tokens = Object.fromEntries(forkUsers.map((user) => [user, randomBytes(24).toString('base64url')]))

  constructor(options: PrepareOptions) {
    this.#options = options
  }

  /** Starts a cluster from these objects; without any, a new one. */
  async fork(content: StoreContent | undefined, startMs: number, { findFault }: ForkOptions = {}): Promise<ForkedCluster> {
    const { gates, nodes, controllers, seed, version, log } = this.#options
    const forkSeed = seed + 1_000_003 * this.#forks++
    const { store, whenIdle } = followWrites(openMemoryStore(undefined, content))
    const clock = new AdjustableClock({ startMs, speed: 1, isPaused: true, whenIdle })
    const kinds = new KindSet(builtInKinds)
    const tokens = new ServiceAccountTokens({ signingKey: createPrivateKey(this.#credentials.serviceAccountKey), issuer })
    let isStopping = false
    const onFailure = (what: string, error: unknown) => {
      if (!isStopping) log(`${what}: ${error instanceof Error ? error.message : String(error)}`)
    }
    const rest = createRest({
      store,
      gates,
      clock,
      wallClock: realClock,
      random: seededPart(forkSeed, 1),
      reviewToken: (token, audiences) => authenticator.reviewToken(token, audiences),
      tokens,
      kinds,
      onFailure,
      findPodServer: (pod, port) => running.fleet?.findServer(pod, port),
      // Each fork has a history of its own: no client has seen an earlier revision.
      oldestWatchRevision: () => content?.revision ?? 0,
    })
    const known = forkUsers.map((user) => ({ token: this.#tokens[user]!, caller: { name: user, groups: ['system:masters'] } }))
    const authenticator = createAuthenticator(known, {
      serviceAccounts: createServiceAccountAuthenticator(tokens, rest.readBound, () => clock.now()),
      audiences: [issuer],
    })
    const client = createInProcessClient({ rest, kinds, name: 'rollcall' })
    if (content === undefined) {
      await applySystemObjects(client, 0)
      await applyServiceRange(client)
      await Promise.all([applyBootstrapRoles(client), applyFlowControl(client)])
    }
    const { server: pair, authority } = this.#credentials
    const judge = findFault?.({ store, clock })
    const server = await startServer({
      rest,
      kinds,
      tls: { key: pair.key, cert: pair.certificate, ca: authority.certificate },
      authenticate: authenticator.authenticate,
      authorizer: rest.authorizer,
      tokens,
      clock,
      wallClock: realClock,
      beforeWrite: () => clock.whenSettled(),
      ...(judge && { findFault: judge }),
      findDocument: createDocuments(kinds, '127.0.0.1'),
      version,
      readLog: (pod, request) => running.fleet?.readLog(pod, request) ?? '',
      exec: (...request) => running.fleet?.exec(...request),
      respondHttp: (pod, container, request) => running.fleet?.answerHttp(pod, container, request),
      log,
    })
    if (content === undefined) await applyServicePort(client, server.port)
    const running = startControllers({
      clientFor: (name) => createInProcessClient({ rest, kinds, name }),
      servesPolicies: true,
      clock,
      random: seededPart(forkSeed, 2),
      gates,
      kinds,
      rootCertificate: authority.certificate,
      nodes,
      podLife: { issueToken: rest.issuePodToken, mountsTrustBundles: true },
      ...monitoringFor(graceMs),
      heartbeats: { leaseMs: heartbeatMs, statusMs: heartbeatMs },
      ...(controllers !== 'all' && { only: controllers }),
      onFailure,
    })
    return {
      url: server.url,
      port: server.port,
      store,
      kinds,
      client,
      clock,
      kubeconfig: (user) => kubeconfigOf(server.url, authority.certificate, this.#tokens[user]!),
      content: () => ({
        revision: store.revision,
        records: store
          .list('')
          .records.map(({ key, revision, createRevision, value }) => ({ key, revision, createRevision, value, memo: undefined })),
      }),
      async stop() {
        isStopping = true
        clock.cutStep()
        await running.stop()
        await server.close()
        clock.stop()
        await store.close()
      },
    }
  }
}

/** With a token only: a client certificate would make every user the same one. */
const kubeconfigOf = (url: string, authority: string, token: string) => `apiVersion: v1
kind: Config
current-context: torture
clusters:
- name: torture
  cluster:
    server: ${url}
    certificate-authority-data: ${Buffer.from(authority).toString('base64')}
contexts:
- name: torture
  context:
    cluster: torture
    user: torture
users:
- name: torture
  user:
    token: ${token}
`
