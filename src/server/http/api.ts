// Requests for resources: maps route and method to a verb, and the result of the verb to a response.

import type { Kind } from '../../api/machinery/kind.ts'
import { badRequestError, failure, methodNotSupportedError, tooLargeError, tooManyRequestsError } from '../../api/machinery/status-error.ts'
import { isPathSegmentName } from '../../api/machinery/validation/names.ts'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import { requireAllowed } from '../auth/authorization.ts'
import { type Authorizer, isMaster } from '../auth/authorizer.ts'
import { type Connection, type ConnectionParts, findConnection } from '../kinds/connections.ts'
import { whenConverted } from '../rest/conversion.ts'
import type { DeleteQuery, Input, ListResponse, ObjectResponse } from '../rest/rest.ts'
import { noSuchEndpointError } from '../rest/update-rules.ts'
import { readDeleteOptions } from './delete-options.ts'
import { bodyFormat, negotiateView, negotiateWithoutTable, patchFormat, requireStream, unsupported, type View } from './media-types.ts'
import { type ListOptions, readListOptions, readPatchOptions, readWriteOptions, type WriteRequest } from './options.ts'
import { isObjectResponse, type Request } from './request.ts'
import { collectionVerb, itemVerb, type Route, subresourceVerb, verbsOf } from './route.ts'
import { asOfQuery, watchWithFault } from './stale-reads.ts'
import { readTableStyle, sendList, sendObject } from './views.ts'
import { eventView } from './watch-encoding.ts'
import { Watcher, type WatchStreams } from './watch-streams.ts'

interface ApiParts extends ConnectionParts {
  readonly clock: Clock
  readonly random: Random
  readonly watches: WatchStreams
  readonly bodyLimitBytes: number
  readonly authorizer: Authorizer
}

type Done = void | Promise<void>

interface Target {
  readonly kind: Kind
  readonly namespace: string
  readonly name: string
  readonly subresource: string
}

export const methodNotAllowed = () =>
  failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})

const customPatchTypes = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml']

const minWatchMs = 30 * 60_000

export class Api {
  readonly #parts: ApiParts

  constructor(parts: ApiParts) {
    this.#parts = parts
  }

  /** Throws or rejects with a StatusError when the request is refused. */
  handle(request: Request, route: Route): Done {
    switch (route.type) {
      case 'collection':
        return this.#collection(request, route.kind, route.namespace, route.watch)
      case 'item':
        return this.#item(request, route.kind, route.namespace, route.name, route.watch)
      case 'subresource':
        return this.#subresource(request, route.kind, route.namespace, route.name, route.subresource)
      default:
        throw noSuchEndpointError()
    }
  }

  #collection(request: Request, kind: Kind, namespace: string, isWatchPath: boolean): Done {
    const { method } = request.exchange
    const scope = namespace === '' ? 'cluster' : 'namespace'
    request.labels = { verb: method === 'GET' ? 'LIST' : method, kind, scope }
    const verb = collectionVerb(kind, namespace, method)
    if (verb === undefined || (isWatchPath && verb !== 'list')) throw methodNotAllowed()
    warnOfDeprecation(request, kind)
    const accept = request.exchange.header('accept')
    const view = isReview(kind) ? negotiateWithoutTable(accept) : negotiateView(accept, verb === 'list')
    if (verb === 'create') return this.#create(request, kind, namespace, view)
    if (verb === 'deletecollection') {
      request.labels.verb = 'DELETECOLLECTION'
      return this.#deleteCollection(request, kind, namespace, view)
    }
    const options = readListOptions(request.query, isWatchPath)
    if (options.watch) return this.#watch(request, kind, namespace, view, options)
    const send = (found: ListResponse) => sendList(request, found, view, this.#parts.clock.now())
    const query = asOfQuery(options.list, request.fault)
    return then(
      whenConverted(kind, () => this.#parts.rest.list(kind, namespace, query)),
      send,
    )
  }

  #item(request: Request, kind: Kind, namespace: string, name: string, isWatchPath: boolean): Done {
    const { method } = request.exchange
    request.labels = { verb: method, kind, scope: 'resource' }
    checkName(name)
    const verb = itemVerb(kind, method)
    if (verb === undefined || (isWatchPath && verb !== 'get')) throw methodNotAllowed()
    warnOfDeprecation(request, kind)
    if (verb === 'patch') return this.#patch(request, kind, namespace, name, undefined)
    const view = negotiateView(request.exchange.header('accept'), isWatchPath)
    if (verb === 'update') return this.#update(request, kind, namespace, name, undefined, view)
    if (verb === 'delete') return this.#delete(request, kind, namespace, name, view)
    if (isWatchPath) return this.#watch(request, kind, namespace, view, readListOptions(request.query, true, name))
    return this.#get(request, kind, namespace, name, undefined, view)
  }

  #subresource(request: Request, kind: Kind, namespace: string, name: string, subresource: string): Done {
    const { method } = request.exchange
    request.labels = { verb: method, kind, subresource, scope: 'resource' }
    const connection = findConnection(kind, subresource)
    if (connection !== undefined) return this.#connect(request, { kind, namespace, name, subresource }, connection)
    const verb = subresourceVerb(kind, subresource, method)
    if (verb === undefined) throw methodNotAllowed()
    warnOfDeprecation(request, kind)
    if (verb === 'patch') return this.#patch(request, kind, namespace, name, subresource)
    const view = negotiateFor(request, subresource)
    if (verb === 'get') return this.#get(request, kind, namespace, name, subresource, view)
    if (verb === 'update') return this.#update(request, kind, namespace, name, subresource, view)
    if (verb === 'create') return this.#createSubresource(request, kind, namespace, name, subresource, view)
    throw methodNotAllowed()
  }

  #get(request: Request, kind: Kind, namespace: string, name: string, subresource: string | undefined, view: View): Done {
    const resourceVersion = request.query.text('resourceVersion')
    const read = () => this.#parts.rest.get(kind, namespace, name, subresource, resourceVersion ? { resourceVersion } : undefined)
    return then(whenConverted(kind, read), (response) => this.#send(request, 200, response, view))
  }

  async #create(request: Request, kind: Kind, namespace: string, view: View): Promise<void> {
    const input = await this.#readInput(request)
    const options = readWriteOptions('CreateOptions', writeRequest(request))
    const { response } = await this.#parts.rest.create(kind, namespace, input, options)
    return this.#send(request, 201, response, view)
  }

  async #update(request: Request, kind: Kind, namespace: string, name: string, subresource: string | undefined, view: View): Promise<void> {
    const input = await this.#readInput(request)
    const options = readWriteOptions('UpdateOptions', writeRequest(request))
    const { response, created } = await this.#parts.rest.update(kind, namespace, name, subresource, input, options)
    return this.#send(request, created ? 201 : 200, response, view)
  }

  async #patch(request: Request, kind: Kind, namespace: string, name: string, subresource: string | undefined): Promise<void> {
    const format = patchFormat(request.exchange.header('content-type'))
    // Custom resources have no merge keys.
    if (format === 'strategic' && kind.customType !== undefined) throw unsupported(customPatchTypes)
    if (format === 'apply') request.labels.verb = 'APPLY'
    const view = negotiateFor(request, subresource)
    const text = (await this.#readBody(request)).toString()
    const options = readPatchOptions(format, writeRequest(request))
    const input = { text, format: format === 'apply' ? 'yaml' : 'json' } as const
    const { response, created } = await this.#parts.rest.patch(kind, namespace, name, subresource, format, input, options)
    return this.#send(request, created ? 201 : 200, response, view)
  }

  async #delete(request: Request, kind: Kind, namespace: string, name: string, view: View): Promise<void> {
    const options = await this.#readDeleteOptions(request)
    warnOfPropagation(request, kind, options)
    const result = await this.#parts.rest.delete(kind, namespace, name, options)
    if (!isObjectResponse(result)) return request.sendJson(result.code ?? 200, JSON.stringify(result), view)
    // As in Kubernetes, 202 is sent only with the deprecated option while the object is terminating.
    const isAccepted = options.orphanDependents === false && result.object.metadata?.deletionTimestamp !== undefined
    return this.#send(request, isAccepted ? 202 : 200, result, view)
  }

  async #deleteCollection(request: Request, kind: Kind, namespace: string, view: View): Promise<void> {
    const { list } = readListOptions(request.query, false)
    const options = await this.#readDeleteOptions(request)
    const deleted = await this.#parts.rest.deleteCollection(kind, namespace, list, options)
    warnOfPropagation(request, kind, options)
    return sendList(request, deleted, view, this.#parts.clock.now())
  }

  async #createSubresource(request: Request, kind: Kind, namespace: string, name: string, subresource: string, view: View): Promise<void> {
    const input = await this.#readInput(request)
    const options = readWriteOptions('CreateOptions', writeRequest(request))
    const result = await this.#parts.rest.createSubresource(kind, namespace, name, subresource, input, options)
    if (isObjectResponse(result)) return this.#send(request, 201, result, view)
    return request.sendJson(201, JSON.stringify(result), view)
  }

  #connect(request: Request, target: Target, { methods, needsCreate, nameOf, optionsOf, connect }: Connection): Done {
    const { kind, namespace, name, subresource } = target
    if (methods?.includes(request.exchange.method) === false) throw methodNotAllowed()
    request.labels.verb = 'CONNECT'
    if (needsCreate) this.#requireCreate(request, target)
    const options = optionsOf?.(request)
    const admitted =
      options && this.#parts.rest.admitConnect(kind, namespace, nameOf?.(name) ?? name, subresource, options, writeOptions(request))
    const run = () => connect(request, namespace, name, this.#parts)
    return admitted === undefined ? run() : admitted.then(run)
  }

  /**
   * A WebSocket starts with a GET, which was authorized as `get`. What runs a command in a pod, or reaches its ports, needs `create` as well.
   */
  #requireCreate({ caller, exchange }: Request, { kind: { group, version, plural }, namespace, name, subresource }: Target): void {
    if (exchange.method === 'POST' || isMaster(caller!)) return
    requireAllowed(this.#parts.authorizer, caller!, { verb: 'create', group, version, resource: plural, subresource, namespace, name })
  }

  #watch(request: Request, kind: Kind, namespace: string, view: View, options: ListOptions): Done {
    request.labels.verb = 'WATCH'
    const { rest, random, watches } = this.#parts
    if (!verbsOf(kind).includes('watch')) throw methodNotSupportedError(kind, 'watch')
    requireStream(view)
    const style = view.as === 'Table' ? readTableStyle(view, request.query) : undefined
    if (watches.isFull) throw tooManyRequestsError('the server has received too many requests and has asked us to try again later', 1)
    const open = () => {
      const watcher = new Watcher(watches, eventView(view, style))
      const unsubscribe = watchWithFault({ rest, kind, namespace, query: options.watching }, request.fault, watcher)
      request.code = 200
      const stream = request.exchange.stream(200, request.headers('application/json'))
      const timeoutMs = options.timeoutSeconds ? options.timeoutSeconds * 1000 : minWatchMs * (1 + random.next())
      watcher.start(stream, unsubscribe, timeoutMs)
      request.exchange.onClose(() => watcher.close())
    }
    return whenConverted(kind, open)
  }

  #send(request: Request, code: number, response: ObjectResponse, view: View): Done {
    request.answer = response
    return sendObject(request, code, response, view, this.#parts.clock.now())
  }

  async #readDeleteOptions(request: Request): Promise<DeleteQuery> {
    const body = request.exchange.hasBody ? await this.#readBody(request) : undefined
    const format = body === undefined || body.length === 0 ? 'json' : bodyFormat(request.exchange.header('content-type'))
    return readDeleteOptions(writeRequest(request), body ?? Buffer.alloc(0), format)
  }

  async #readInput(request: Request): Promise<Input> {
    const format = bodyFormat(request.exchange.header('content-type'))
    const body = await this.#readBody(request)
    return format === 'protobuf' ? { protobuf: body } : { text: body.toString(), format }
  }

  async #readBody(request: Request): Promise<Buffer> {
    const limit = this.#parts.bodyLimitBytes
    const body = await request.exchange.readBody(limit)
    if (body === undefined) throw tooLargeError(`Request entity too large: limit is ${limit}`)
    return body
  }
}

function checkName(name: string): void {
  if (!/%|^\.\.?$/.test(name)) return
  throw badRequestError(`Name parameter invalid: ${JSON.stringify(name)}: ${isPathSegmentName(name).join(';')}`)
}

const then = <T>(value: T | Promise<T>, use: (value: T) => Done): Done => (value instanceof Promise ? value.then(use) : use(value))

/** Other subresources cannot be printed as a table. */
const hasColumns = (subresource: string | undefined) => subresource === undefined || subresource === 'status' || subresource === 'scale'

/** The view of one object. */
function negotiateFor({ exchange }: Request, subresource: string | undefined): View {
  const accept = exchange.header('accept')
  return hasColumns(subresource) ? negotiateView(accept, false) : negotiateWithoutTable(accept)
}

function warnOfPropagation({ warnings }: Request, { strategy: { propagationWarning } }: Kind, options: DeleteQuery): void {
  const isNamed = options.propagationPolicy !== undefined || options.orphanDependents !== undefined
  if (propagationWarning !== undefined && !isNamed) warnings.add(propagationWarning)
}

function warnOfDeprecation({ warnings }: Request, { deprecation }: Kind): void {
  if (deprecation !== undefined) warnings.add(deprecation)
}

/** Reviews can only be created, and are not stored. */
const isReview = ({ verbs }: Kind) => verbs?.length === 1 && verbs[0] === 'create'

const writeOptions = ({ caller, warnings }: Request) => ({ caller: caller!, manager: '', warn: warnings.add })

function writeRequest(request: Request): WriteRequest {
  const { query, caller, exchange, warnings } = request
  request.labels.dryRun = query.has('dryRun')
  return { query, caller: caller!, userAgent: exchange.header('user-agent'), warn: warnings.add }
}
