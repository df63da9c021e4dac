// Aggregated servers: watches the APIServices that refer to a Service, checks whether they are available, and finds the server of a path.
// Kubernetes: k8s.io/kube-aggregator/pkg/apiserver.APIAggregator.AddAPIService
// Kubernetes: k8s.io/kube-aggregator/pkg/controllers/status/remote.AvailableConditionController.sync
import { Agent, request } from 'node:https'
import { rootCertificates } from 'node:tls'
import { apiServices, endpointSlices, endpoints, services } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { KindSet } from '../../api/machinery/kind-set.ts'
import type { ApiService, EndpointSlice, Service } from '../../api/types.ts'
import { backoffMs } from '../../base/backoff.ts'
import { type CancelTimer, type Clock, formatTime } from '../../base/clock.ts'
import { isEqualJson } from '../../base/json.ts'
import { urlHostOf } from '../../base/url.ts'
import type { Store, StoreEvent } from '../../store/store.ts'
import type { FindAggregated } from '../http/dispatcher.ts'
import { readResponse, refuseUpgrade } from '../http/received-response.ts'
import type { Request } from '../http/request.ts'
import { objectOf } from '../rest/entry.ts'
import { prefixOf } from '../rest/scope.ts'
import { describeConnectionError } from '../webhooks/post.ts'
import { resolveService, type ServiceReader, SimulatedPodError, slicesOf } from '../webhooks/webhook-address.ts'
import { isAvailable, judgeBackend, judgeDiscovery, judgeLocal, type ServiceTarget, statusWith, type Verdict } from './availability.ts'
import { callerHeaders, passOn } from './proxy.ts'
import { type DiscoveredResource, type RemoteVersion, readOpenApiUrl, readResources } from './remote-resources.ts'

interface AggregatorOptions {
  readonly store: Store
  readonly kinds: KindSet
  readonly services: ServiceReader
  /** The client certificate for aggregated servers, in PEM. Created when the first one is called. */
  readonly frontProxy: () => { readonly key: string; readonly certificate: string }
  /** The clock of the cluster, for conditions. */
  readonly clock: Clock
  /** For the intervals of the checks. */
  readonly wallClock: Clock
  writeStatus(object: ApiService): Promise<unknown>
  onFailure(what: string, error: unknown): void
}

interface Remote {
  object: ApiService
  readonly target: ServiceTarget
  readonly agent: Agent
  resources: readonly DiscoveredResource[] | undefined
  openApiUrl: string | undefined
  /** Its endpoints are simulated pods, in which no server runs. */
  isSimulated: boolean
  failures: number
  isChecking: boolean
  /** Something changed during the check. */
  isDue: boolean
  cancel: CancelTimer
}

const checkMs = 30_000
const firstRetryMs = 1000
const probeMs = 5000
const openApiPrefix = '/openapi/v3'
const probeCaller = { name: 'system:kube-aggregator', groups: ['system:masters'] }

/** What decides about the addresses of a service. */
const servicePartKinds: readonly { readonly kind: Kind; readonly hasNameOfService: boolean }[] = [
  { kind: services, hasNameOfService: true },
  { kind: endpoints, hasNameOfService: true },
  { kind: endpointSlices, hasNameOfService: false },
]

export class Aggregator {
  readonly #options: AggregatorOptions
  /** By `group/version`. */
  readonly #remotes = new Map<string, Remote>()
  readonly #ends: (() => void)[] = []
  readonly #deletionListeners = new Set<(object: ApiService) => void>()
  #followsServices = false
  #versions: readonly RemoteVersion[] | undefined = []

  constructor(options: AggregatorOptions) {
    this.#options = options
    const { store } = options
    const prefix = prefixOf(apiServices, '')
    const { records } = store.list(prefix)
    this.#ends.push(store.watch(prefix, store.revision, (events) => this.#observe(events)))
    for (const record of records) this.#set(objectOf(record) as ApiService)
  }

  /** The versions of the aggregated servers, for discovery. The same array until it changes. */
  get versions(): readonly RemoteVersion[] {
    this.#versions ??= [...this.#remotes.values()].filter(({ isSimulated }) => !isSimulated).map(versionOf)
    return this.#versions
  }

  readonly find: FindAggregated = (path) => {
    if (this.#remotes.size === 0) return undefined
    const inside = path.startsWith(openApiPrefix) ? path.slice(openApiPrefix.length) : path
    if (!inside.startsWith('/apis/')) return undefined
    const [, , group = '', version = ''] = inside.split('/', 4)
    const remote = this.#remotes.get(`${group}/${version}`)
    if (remote === undefined) return undefined
    // Simulated pods of metrics-server, for example: Rollcall serves their metrics itself.
    if (remote.isSimulated && this.#isServedLocally(group, version)) return undefined
    return (given) => this.#passOn(given, remote)
  }

  /** Notifies of every APIService that is deleted. Returns the function that unsubscribes. */
  onDeletion(listener: (object: ApiService) => void): () => void {
    this.#deletionListeners.add(listener)
    return () => this.#deletionListeners.delete(listener)
  }

  stop(): void {
    for (const end of this.#ends) end()
    for (const key of [...this.#remotes.keys()]) this.#remove(key)
  }

  #isServedLocally(group: string, version: string): boolean {
    return this.#options.kinds.all.some((kind) => kind.group === group && kind.version === version)
  }

  #passOn(given: Request, { object, target, agent }: Remote): void | Promise<void> {
    if (!isAvailable(object)) return given.sendPlain(503, 'service unavailable\n')
    let address: ReturnType<typeof resolveService>
    try {
      address = resolveService(this.#options.services, target.namespace, target.name, target.port)
    } catch {
      return given.sendPlain(503, 'service unavailable\n')
    }
    return passOn(given, { agent, host: address.host, port: address.port, name: hostOf(target) })
  }

  #observe(events: readonly StoreEvent[]): void {
    for (const { type, record } of events) {
      const object = objectOf(record) as ApiService
      if (type === 'delete') {
        this.#remove(keyOf(object))
        for (const listener of this.#deletionListeners) listener(object)
      } else this.#set(object)
    }
  }

  #set(object: ApiService): void {
    const key = keyOf(object)
    const known = this.#remotes.get(key)
    if (known !== undefined && isEqualJson(known.object.spec, object.spec)) {
      known.object = object
      this.#versions = undefined
      return
    }
    this.#remove(key)
    const { service, caBundle, insecureSkipTLSVerify } = object.spec ?? {}
    if (!service) {
      if (known !== undefined) this.#becomeLocal(object)
      return
    }
    this.#followServices()
    const target = { namespace: service.namespace ?? '', name: service.name ?? '', port: service.port ?? 443 }
    const { key: clientKey, certificate } = this.#options.frontProxy()
    const remote: Remote = {
      object,
      target,
      agent: new Agent({
        keepAlive: true,
        key: clientKey,
        cert: certificate,
        ca: caBundle ? Buffer.from(caBundle, 'base64').toString() : [...rootCertificates],
        servername: serverNameOf(target),
        rejectUnauthorized: insecureSkipTLSVerify !== true,
        allowPartialTrustChain: true,
      } as ConstructorParameters<typeof Agent>[0]),
      resources: undefined,
      openApiUrl: undefined,
      isSimulated: false,
      failures: 0,
      isChecking: false,
      isDue: false,
      cancel: () => {},
    }
    this.#remotes.set(key, remote)
    this.#versions = undefined
    void this.#check(remote)
  }

  /** For an APIService that no longer refers to a Service: only the API server itself can serve the version. */
  #becomeLocal(object: ApiService): void {
    const status = statusWith(object.status, judgeLocal, formatTime(this.#options.clock.now()))
    if (status === undefined) return
    this.#options
      .writeStatus({ ...object, status })
      .catch((error: unknown) => this.#options.onFailure(`Cannot write the status of APIService ${object.metadata?.name}`, error))
  }

  #remove(key: string): void {
    const remote = this.#remotes.get(key)
    if (remote === undefined) return
    this.#remotes.delete(key)
    this.#versions = undefined
    remote.cancel()
    remote.agent.destroy()
  }

  /** From the first aggregated server on: most clusters have none. */
  #followServices(): void {
    if (this.#followsServices) return
    this.#followsServices = true
    const { store } = this.#options
    for (const { kind, hasNameOfService } of servicePartKinds) {
      const listen = (events: readonly StoreEvent[]) => {
        for (const { record } of events) {
          const [namespace = '', name = ''] = record.key.split('/').slice(-2)
          for (const remote of this.#remotes.values()) {
            const { target } = remote
            if (target.namespace === namespace && (name === target.name || !hasNameOfService)) void this.#check(remote)
          }
        }
      }
      this.#ends.push(store.watch(prefixOf(kind, ''), store.revision, listen))
    }
  }

  #isGone(remote: Remote): boolean {
    return this.#remotes.get(keyOf(remote.object)) !== remote
  }

  async #check(remote: Remote): Promise<void> {
    remote.isDue = true
    if (remote.isChecking) return
    remote.isChecking = true
    remote.cancel()
    try {
      while (remote.isDue && !this.#isGone(remote)) {
        remote.isDue = false
        const verdict = await this.#judge(remote)
        if (this.#isGone(remote)) return
        this.#versions = undefined
        remote.failures = verdict.status === 'True' ? 0 : remote.failures + 1
        const status = statusWith(remote.object.status, verdict, formatTime(this.#options.clock.now()))
        if (status !== undefined) await this.#options.writeStatus({ ...remote.object, status })
      }
    } catch (error) {
      remote.failures++
      if (!this.#isGone(remote)) this.#options.onFailure(`Cannot check APIService ${remote.object.metadata?.name}`, error)
    } finally {
      remote.isChecking = false
      if (!this.#isGone(remote)) {
        const waitMs = remote.failures === 0 ? checkMs : backoffMs(remote.failures, { firstMs: firstRetryMs, maxMs: checkMs })
        remote.cancel = this.#options.wallClock.after(waitMs, () => void this.#check(remote))
      }
    }
  }

  async #judge(remote: Remote): Promise<Verdict> {
    const { services: reader } = this.#options
    const { target } = remote
    remote.isSimulated = false
    const service = reader.read(services, target.namespace, target.name) as Service | undefined
    const slices = slicesOf(reader.list(endpointSlices, target.namespace) as EndpointSlice[], target.name)
    const problem = judgeBackend({ reference: target, service, slices })
    if (problem !== undefined) return problem
    try {
      const { host, port, server } = resolveService(reader, target.namespace, target.name, target.port)
      if (server !== undefined) throw new SimulatedPodError('no API server runs in a simulated pod')
      const { group = '', version = '' } = remote.object.spec ?? {}
      const url = `https://${urlHostOf(host)}:${port}/apis/${group}/${version}`
      const text = await probe(remote.agent, url, host, port, hostOf(target))
      remote.resources = readResources(text) ?? remote.resources
      // Not every server has OpenAPI documents, and none is needed to be available.
      const index = await probe(remote.agent, new URL(openApiPrefix, url).href, host, port, hostOf(target)).catch(() => '')
      remote.openApiUrl = readOpenApiUrl(index, group, version)
      return judgeDiscovery(undefined)
    } catch (error) {
      remote.isSimulated = error instanceof SimulatedPodError
      const { group = '', version = '' } = remote.object.spec ?? {}
      // The version is served, by this server in place of the simulated pods.
      if (remote.isSimulated && this.#isServedLocally(group, version)) return judgeDiscovery(undefined)
      return judgeDiscovery((error as Error).message)
    }
  }
}

const keyOf = ({ spec }: ApiService) => `${spec?.group ?? ''}/${spec?.version ?? ''}`
const serverNameOf = ({ namespace, name }: ServiceTarget) => `${name}.${namespace}.svc`
const hostOf = (target: ServiceTarget) => `${serverNameOf(target)}:${target.port}`

function versionOf({ object, resources, openApiUrl }: Remote): RemoteVersion {
  const { group = '', version = '', groupPriorityMinimum, versionPriority } = object.spec ?? {}
  return {
    group,
    version,
    groupPriority: groupPriorityMinimum ?? 0,
    versionPriority: versionPriority ?? 0,
    ...(resources && { resources }),
    ...(openApiUrl && { openApiUrl }),
    isCurrent: isAvailable(object),
  }
}

/** The discovery document of the version. Rejects with an Error in Go's words. */
function probe(agent: Agent, url: string, host: string, port: number, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`failing or missing response from ${url}: ${why}`))
    const headers = { ...callerHeaders(probeCaller), host: name, accept: 'application/json' }
    const signal = AbortSignal.timeout(probeMs)
    const path = new URL(url).pathname
    const failGet = (error: Error) => fail(`Get ${JSON.stringify(url)}: ${describeConnectionError(error)}`)
    const outgoing = request({ agent, host, port, path, headers, signal }, (response) => {
      const code = response.statusCode ?? 0
      const receive = (text: string) => {
        if (code >= 200 && code < 300) resolve(text)
        else fail(`bad status from ${url}: ${code}`)
      }
      readResponse(response).then(receive, failGet)
    })
    outgoing.on('error', failGet)
    refuseUpgrade(outgoing, failGet)
    outgoing.end()
  })
}
