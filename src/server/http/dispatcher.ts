// The entry point of every request: authentication, authorization, routing, concurrency limits and timeouts.

import type { Kind } from '../../api/machinery/kind.ts'
import type { KindSet } from '../../api/machinery/kind-set.ts'
import { failure, unauthorizedError } from '../../api/machinery/status-error.ts'
import type { CancelTimer, Clock } from '../../base/clock.ts'
import type { Authenticate } from '../auth/authenticator.ts'
import { requireAllowed } from '../auth/authorization.ts'
import { type Authorizer, anonymousUser, isMaster, unauthenticatedGroup } from '../auth/authorizer.ts'
import { impersonate } from '../auth/impersonation.ts'
import { requestAttributes } from '../auth/request-attributes.ts'
import type { ServiceAccountTokens } from '../auth/service-account-tokens.ts'
import type { Metrics } from '../metrics.ts'
import type { Caller } from '../rest/rest.ts'
import { type Api, methodNotAllowed } from './api.ts'
import { BodyLostError, type Exchange, type Headers } from './exchange.ts'
import { type HealthCheck, type HealthPath, healthPaths, sendHealth } from './health.ts'
import { oneLine } from './log-line.ts'
import { readTimeoutMs } from './options.ts'
import { type HandleOwnPath, ownPrefix, sendOwn } from './own-paths.ts'
import type { FindPageFile } from './page-files.ts'
import { type Query, unescapePercent } from './query.ts'
import { Request } from './request.ts'
import { callOf, type FindFault, handleWithFault, type RequestFault } from './request-faults.ts'
import { createRoutes, type Route, type Routes } from './route.ts'
import { versionDocument } from './version.ts'

/** A response that is not an object: discovery, OpenAPI. */
export interface Document {
  /** Default 200. */
  readonly code?: number
  readonly contentType: string
  readonly body: string | Buffer
  /** The compressed body. */
  readonly gzip?: () => Buffer
  readonly headers?: Headers
}

interface DocumentRequest {
  readonly path: string
  readonly query: Query
  readonly accept: string | undefined
  readonly ifNoneMatch: string | undefined
}

/** Undefined when there is no such document. */
export type FindDocument = (request: DocumentRequest) => Document | undefined | Promise<Document | undefined>

/** The function that forwards a request to the aggregated server of its path. Undefined: this server responds itself. */
export type FindAggregated = (path: string) => ((request: Request) => void | Promise<void>) | undefined

interface DispatcherParts {
  readonly api: Api
  readonly kinds: KindSet
  readonly authenticate: Authenticate
  readonly authorizer: Authorizer
  readonly tokens?: ServiceAccountTokens | undefined
  readonly findDocument: FindDocument
  /** The files of the dashboard. */
  readonly findPageFile?: FindPageFile | undefined
  /** Paths below /rollcall/. */
  readonly handleOwnPath?: HandleOwnPath | undefined
  readonly findFault?: FindFault | undefined
  /** Versions that aggregated servers serve. */
  readonly findAggregated?: FindAggregated | undefined
  readonly healthChecks: readonly HealthCheck[]
  readonly version: string
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: (line: string) => void
  readonly limits: {
    readonly readOnlyInFlight: number
    readonly mutatingInFlight: number
    readonly requestMs: number
    readonly bodyBytes: number
  }
}

const sweepMs = 1000
const anonymous: Caller = { name: anonymousUser, groups: [unauthenticatedGroup] }
/** The verbs that metrics have as labels. */
const countedVerbs: readonly string[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'LIST',
  'WATCH',
  'APPLY',
  'DELETECOLLECTION',
  'CONNECT',
]

export class Dispatcher {
  readonly #parts: DispatcherParts
  #routes: Routes
  /** The kinds that the routes lead to. */
  #routedKinds: readonly Kind[]
  /** Requests without a response so far, and their deadlines. */
  readonly #waiting = new Map<Request, number>()
  #cancelSweep: CancelTimer | undefined
  #mutating = 0
  #readOnly = 0

  constructor(parts: DispatcherParts) {
    this.#parts = parts
    this.#routedKinds = parts.kinds.all
    this.#routes = createRoutes(this.#routedKinds)
  }

  get inFlight(): { readonly mutating: number; readonly readOnly: number } {
    return { mutating: this.#mutating, readOnly: this.#readOnly }
  }

  stop(): void {
    this.#cancelSweep?.()
    this.#cancelSweep = undefined
  }

  /** Never throws: when not even an error can be sent, it is logged and the connection is closed. */
  dispatch(exchange: Exchange): void {
    try {
      this.#dispatch(exchange)
    } catch (error) {
      this.#abort(exchange, error)
    }
  }

  #abort(exchange: Exchange, error: unknown): void {
    this.#parts.log(`Cannot respond: ${oneLine(error)}`)
    exchange.abort()
  }

  #dispatch(exchange: Exchange): void {
    const { clock } = this.#parts
    const target = splitTarget(exchange.target)
    if (target === undefined) {
      exchange.respond(400, { 'content-type': 'text/plain; charset=utf-8' }, '400 Bad Request')
      return
    }
    const request = new Request(exchange, target.path, target.query, clock.now())
    const isRead = isReading(exchange)
    if (isRead) this.#readOnly++
    else this.#mutating++
    const finish = () => {
      this.#waiting.delete(request)
      if (isRead) this.#readOnly--
      else this.#mutating--
      this.#count(request)
    }
    // Also a request whose error cannot be sent is no longer in flight.
    const fail = (error: unknown) => {
      try {
        this.#fail(request, error)
      } finally {
        finish()
      }
    }
    try {
      const done = this.#handle(request)
      if (done === undefined) {
        finish()
        return
      }
      this.#awaitResponse(request)
      done.then(finish, fail).catch((error: unknown) => this.#abort(exchange, error))
    } catch (error) {
      fail(error)
    }
  }

  #handle(request: Request): void | Promise<void> {
    const { exchange, path } = request
    const page = isReading(exchange) ? this.#parts.findPageFile?.(path, exchange.header('accept')) : undefined
    if (page !== undefined) return request.sendCompressible(page.code, page.contentType, page.body, page.gzip, page.headers)
    const found = this.#parts.authenticate({ authorization: exchange.header('authorization'), socket: exchange.socket })
    if (found === 'invalid') throw unauthorizedError()
    const attributes = () => requestAttributes(path, exchange.method, request.query)
    const { authorizer } = this.#parts
    const caller = impersonate(found === 'anonymous' ? anonymous : found, exchange, authorizer, attributes)
    request.caller = caller
    if (this.#isOverLimit(request, caller)) {
      request.sendPlain(429, 'Too many requests, please try again later.\n', { 'retry-after': '1' })
      return
    }
    if (request.query.has('timeout') && request.query.flag('watch') !== true) request.timeoutMs = readTimeoutMs(request.query)
    const route = this.#route(path)
    const isWatching = isWatch(route, request.query)
    if (!isMaster(caller)) requireAllowed(authorizer, caller, attributes())
    const passOn = this.#parts.findAggregated?.(path)
    if (passOn !== undefined) return passOn(request)
    if (route.type === 'path') return this.#path(request)
    const fault = this.#findFault(request, route, isWatching)
    const handle = () => this.#parts.api.handle(request, route)
    return fault === undefined ? handle() : handleWithFault(request, fault, this.#parts.clock, handle)
  }

  /**
   * Whether too many other requests of its kind are under way. Health checks and administrators are exempt: otherwise a webhook that hangs
   * could not even be deleted.
   */
  #isOverLimit({ exchange, path }: Request, caller: Caller): boolean {
    const { readOnlyInFlight, mutatingInFlight } = this.#parts.limits
    const isOver = isReading(exchange) ? this.#readOnly > readOnlyInFlight : this.#mutating > mutatingInFlight
    return isOver && !isMaster(caller) && !(healthPaths as readonly string[]).includes(path.split('/')[1] ?? '')
  }

  #route(path: string): Route {
    const { all } = this.#parts.kinds
    if (all !== this.#routedKinds) {
      this.#routedKinds = all
      this.#routes = createRoutes(all)
    }
    return this.#routes(path)
  }

  #findFault(request: Request, route: Route, isWatching: boolean): RequestFault | undefined {
    const { findFault } = this.#parts
    const call = findFault && callOf(request, route, isWatching)
    return call && findFault!(call)
  }

  #path(request: Request): void | Promise<void> {
    const { path, exchange } = request
    const { tokens, metrics } = this.#parts
    request.labels = { verb: exchange.method }
    if (path.startsWith(ownPrefix) && this.#parts.handleOwnPath !== undefined)
      return sendOwn(request, this.#parts.handleOwnPath, this.#parts.limits.bodyBytes)
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD') return this.#refuseMethod(request)
    if (path === '/') return request.sendDocument(200, 'application/json', rootPaths(this.#parts.kinds.all, this.#parts.healthChecks))
    if (path === '/version' || path === '/version/') {
      request.labels = { verb: 'GET', subresource: '/version' }
      return request.sendDocument(200, 'application/json', versionDocument(this.#parts.version))
    }
    if (path === '/.well-known/openid-configuration' && tokens !== undefined)
      return request.sendDocument(200, 'application/json', tokens.discoveryDocument(`https://${exchange.header('host') ?? ''}`))
    if (path === '/openid/v1/jwks' && tokens !== undefined) return request.sendDocument(200, 'application/jwk-set+json', tokens.keySet())
    if (path === '/metrics') return request.sendDocument(200, metrics.contentType, metrics.text())
    const [, first = '', ...rest] = path.split('/')
    if ((healthPaths as readonly string[]).includes(first)) {
      request.labels = { verb: 'GET', subresource: `/${first}` }
      const name = rest.length === 0 ? undefined : rest.join('/')
      if (sendHealth(request, first as HealthPath, name, this.#parts.healthChecks)) return
      return request.sendPlain(404, '404 page not found\n')
    }
    return this.#document(request)
  }

  /** A write to a group that is not served gets 404 rather than 405: clients treat 404 as "not installed". */
  async #refuseMethod(request: Request): Promise<void> {
    const first = request.path.split('/')[1] ?? ''
    const isOwn = ['', 'version', 'metrics', ...healthPaths].includes(first)
    if (isOwn || (await this.#findDocument(request)) !== undefined) throw methodNotAllowed()
    request.sendPlain(404, '404 page not found\n')
  }

  #findDocument({ path, query, exchange }: Request): ReturnType<FindDocument> {
    return this.#parts.findDocument({ path, query, accept: exchange.header('accept'), ifNoneMatch: exchange.header('if-none-match') })
  }

  async #document(request: Request): Promise<void> {
    const document = await this.#findDocument(request)
    if (document === undefined) return request.sendPlain(404, '404 page not found\n')
    const { code = 200, contentType, body, headers, gzip } = document
    return gzip === undefined
      ? request.sendDocument(code, contentType, body, headers)
      : request.sendCompressible(code, contentType, body, gzip, headers)
  }

  #fail(request: Request, error: unknown): void {
    if (error instanceof BodyLostError) return
    const fault = request.sendError(error)
    if (fault === undefined) return
    this.#parts.log(`Cannot respond to ${request.exchange.method} ${request.path}: ${oneLine(fault)}`)
  }

  #count(request: Request): void {
    const { labels, code, startMs } = request
    if (code === 0) return
    const verb = countedVerbs.includes(labels.verb) ? labels.verb : 'other'
    this.#parts.metrics.countRequest({ ...labels, verb }, code, this.#parts.clock.now() - startMs)
  }

  #awaitResponse(request: Request): void {
    const { clock, limits } = this.#parts
    const limitMs = Math.min(limits.requestMs, request.timeoutMs || limits.requestMs)
    this.#waiting.set(request, request.startMs + limitMs)
    this.#cancelSweep ??= clock.after(sweepMs, this.#sweep)
  }

  readonly #sweep = (): void => {
    const nowMs = this.#parts.clock.now()
    for (const [request, deadlineMs] of this.#waiting) {
      if (nowMs < deadlineMs) continue
      this.#waiting.delete(request)
      const message = 'Timeout: request did not complete within requested timeout - context deadline exceeded'
      try {
        if (!request.exchange.hasResponded) request.sendStatus(failure(504, 'Timeout', message, {}).status)
        // A response that the client does not read would keep its memory and its in-flight slot for ever.
        else request.exchange.abort()
      } catch (error) {
        this.#abort(request.exchange, error)
      }
    }
    this.#cancelSweep = this.#waiting.size === 0 ? undefined : this.#parts.clock.after(sweepMs, this.#sweep)
  }
}

const isReading = ({ method }: Exchange) => method === 'GET' || method === 'HEAD'

const isWatch = (route: Route, query: Query) => ('watch' in route && route.watch) || query.flag('watch') === true

/** Undefined for a target that is not a path, or has an invalid escape. */
function splitTarget(target: string): { readonly path: string; readonly query: string } | undefined {
  let rest = target
  if (!rest.startsWith('/')) {
    const absolute = /^https?:\/\/[^/?#]*(.*)$/i.exec(rest)
    if (absolute === null) return undefined
    rest = absolute[1]!.startsWith('/') ? absolute[1]! : `/${absolute[1]}`
  }
  const question = rest.indexOf('?')
  const path = unescapePercent(question < 0 ? rest : rest.slice(0, question))
  return path === undefined ? undefined : { path, query: question < 0 ? '' : rest.slice(question + 1) }
}

function rootPaths(kinds: readonly Kind[], checks: readonly HealthCheck[]): string {
  const paths = new Set(['/api', '/apis', '/metrics', '/openapi/v2', '/openapi/v3', '/version'])
  for (const { group, version } of kinds) {
    if (group === '') paths.add(`/api/${version}`)
    else paths.add(`/apis/${group}`).add(`/apis/${group}/${version}`)
  }
  for (const path of healthPaths) {
    paths.add(`/${path}`)
    for (const { name, paths: own = healthPaths } of checks) if (own.includes(path)) paths.add(`/${path}/${name}`)
  }
  return JSON.stringify({ paths: [...paths].sort() }, null, 2)
}
