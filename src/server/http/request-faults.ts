// Fault injection: requests that are delayed, refused, lost or answered from an earlier state on demand, and watches whose events are held back. Every
// request for objects is judged here, once.
import { isStatusError, type StatusError } from '../../api/machinery/status-error.ts'
import { type Clock, sleep } from '../../base/clock.ts'
import { methodVerbs } from '../auth/request-attributes.ts'
import type { ObjectResponse, WatchListener } from '../rest/rest.ts'
import type { Exchange } from './exchange.ts'
import type { Request } from './request.ts'
import type { Route } from './route.ts'

/** A request for objects, as faults select it. */
export interface ApiCall {
  /** `get`, `list`, `watch`, `create`, … */
  readonly verb: string
  readonly group: string
  readonly plural: string
  readonly subresource?: string
  /** '' for all namespaces, and for kinds without them. */
  readonly namespace: string
  /** Absent for a collection. */
  readonly name?: string
  /** The User-Agent. */
  readonly agent: string
  readonly user: string
  /** A watch that begins with a consistent list. */
  readonly streamsList?: boolean
}

export interface RequestFault {
  readonly delayMs: number
  readonly error?: StatusError
  /** The connection is closed: before the request is handled, or in place of its response. */
  readonly loses?: 'request' | 'answer'
  /** Lists that may be served from a cache, and watches that begin with one, show the state of this revision. */
  readonly asOf?: number
  /** Stands between a watch and its response. `beginsWithState`: the events during the start of the watch are its initial ones. */
  openWatch?(listener: WatchListener, beginsWithState: boolean): FaultyWatch
  /** The request was handled; `code` is 0 where it was lost. `answer` is the object in the response, if there is one. */
  ended?(code: number, answer: ObjectResponse | undefined): void
}

export interface FaultyWatch extends WatchListener {
  /** The watch has started. */
  started(): void
  close(): void
}

/** The fault of a request, if any. */
export type FindFault = (call: ApiCall) => RequestFault | undefined

const collectionVerbs: Readonly<Record<string, string>> = { ...methodVerbs, GET: 'list', DELETE: 'deletecollection' }

/** The Kubernetes verb of a request; undefined for paths that are not resources. */
export function verbOf(route: Route, method: string, isWatch: boolean): string | undefined {
  if (!('kind' in route)) return undefined
  if (isWatch) return 'watch'
  return (route.type === 'collection' ? collectionVerbs : methodVerbs)[method]
}

/** Undefined for paths that are not resources. */
export function callOf({ exchange, caller, query }: Request, route: Route, isWatch: boolean): ApiCall | undefined {
  const verb = verbOf(route, exchange.method, isWatch)
  if (verb === undefined || !('kind' in route)) return undefined
  const { kind, namespace } = route
  return {
    verb,
    group: kind.group,
    plural: kind.plural,
    namespace,
    ...(route.type !== 'collection' && { name: route.name }),
    ...(route.type === 'subresource' && { subresource: route.subresource }),
    agent: exchange.header('user-agent') ?? '',
    user: caller?.name ?? '',
    ...(isWatch && query.flag('sendInitialEvents') === true && !query.text('resourceVersion') && { streamsList: true }),
  }
}

/** Resolves after the delay, or rejects with the error of the fault. */
export async function applyFault({ delayMs, error }: RequestFault, clock: Clock): Promise<void> {
  if (delayMs > 0) await sleep(clock, delayMs)
  if (error !== undefined) throw error
}

/** Handles a request with a fault. */
export async function handleWithFault(
  request: Request,
  fault: RequestFault,
  clock: Clock,
  handle: () => void | Promise<void>,
): Promise<void> {
  request.fault = fault
  const isLost = fault.loses !== undefined
  try {
    await applyFault(fault, clock)
    if (fault.loses === 'request') request.exchange.abort()
    else {
      if (fault.loses === 'answer') request.exchange = withoutAnswer(request.exchange)
      await handle()
    }
  } catch (error) {
    fault.ended?.(isLost ? 0 : codeOf(error), request.answer)
    throw error
  }
  fault.ended?.(isLost ? 0 : request.code, request.answer)
}

/** Of the response to the error, which is sent later. */
const codeOf = (error: unknown) => (isStatusError(error) ? error.code : 500)

/** The exchange with a connection that breaks in place of the response. */
function withoutAnswer(exchange: Exchange): Exchange {
  const abort = () => exchange.abort()
  return new Proxy(exchange, {
    get(target, name) {
      if (name === 'respond') return abort
      const value = Reflect.get(target, name, target) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
