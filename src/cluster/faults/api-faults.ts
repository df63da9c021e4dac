// Faults of the API server: it delays or refuses a share of the requests, from clients outside and from the controllers and
// nodes in this process.
import { failure, internalError, type StatusError, tooManyRequestsError } from '../../api/machinery/status-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import { type ApiCall, applyFault, type RequestFault } from '../../server/http/request-faults.ts'
import { wrapCalls } from '../wrapped-calls.ts'

export interface ApiFault {
  readonly delayMs: number
  /** The status code of the refusal. Absent: requests are only delayed. */
  readonly code?: RefusalCode
  /** The share of the requests that is affected, from 0 to 1. */
  readonly share: number
  /** `get`, `list`, `watch`, `create`, …; absent: all. */
  readonly verbs?: readonly string[]
  /** `pods`, `deployments`, …; absent: all. */
  readonly plurals?: readonly string[]
  /** Prefixes of the User-Agent: `kubectl`, `deployment-controller`; absent: all. */
  readonly agents?: readonly string[]
}

export type RefusalCode = 429 | 500 | 503

export class ApiFaults {
  readonly #random: Random
  readonly #faults = new Set<ApiFault>()
  readonly #refusals = new WeakSet<StatusError>()

  constructor(random: Random) {
    this.#random = random
  }

  add(fault: ApiFault): void {
    this.#faults.add(fault)
  }

  delete(fault: ApiFault): void {
    this.#faults.delete(fault)
  }

  /** Whether this error is an injected refusal, which needs no log entry. */
  hasRefused(error: unknown): boolean {
    return this.#refusals.has(error as StatusError)
  }

  judge({ verb, plural, agent }: Pick<ApiCall, 'verb' | 'plural' | 'agent'>): RequestFault | undefined {
    if (this.#faults.size === 0) return undefined
    let delayMs = 0
    let error: StatusError | undefined
    for (const fault of this.#faults) {
      if (!matches(fault, verb, plural, agent) || this.#random.next() >= fault.share) continue
      delayMs += fault.delayMs
      if (fault.code !== undefined) error ??= refusalOf(fault.code)
    }
    if (error !== undefined) this.#refusals.add(error)
    return delayMs === 0 && error === undefined ? undefined : { delayMs, ...(error && { error }) }
  }
}

function matches({ verbs, plurals, agents }: ApiFault, verb: string, plural: string, agent: string): boolean {
  if (verbs !== undefined && !verbs.includes(verb)) return false
  if (plurals !== undefined && !plurals.includes(plural)) return false
  return agents === undefined || agents.some((start) => agent.startsWith(start))
}

function refusalOf(code: RefusalCode): StatusError {
  if (code === 429) return tooManyRequestsError('the server has received too many requests and has asked us to try again later', 1)
  if (code === 503) return failure(503, 'ServiceUnavailable', 'the server is currently unable to handle the request')
  return internalError('this failure was injected')
}

/** Subjects a client in this process to the faults; `agent` is used as its User-Agent. */
export function withApiFaults(client: Client, agent: string, faults: ApiFaults, clock: Clock): Client {
  const guarded = wrapCalls(client, (call, verb, { plural }) => {
    const fault = faults.judge({ verb, plural, agent })
    return fault === undefined ? call() : applyFault(fault, clock).then(call)
  })
  return {
    ...guarded,
    watch(resource, request, handlers) {
      const fault = faults.judge({ verb: 'watch', plural: resource.plural, agent })
      if (fault === undefined) return client.watch(resource, request, handlers)
      return openWatchLater(fault, clock, () => client.watch(resource, request, handlers), handlers.onEnd)
    },
  }
}

function openWatchLater(fault: RequestFault, clock: Clock, watch: () => () => void, onEnd: (error: Error) => void): () => void {
  let isClosed = false
  let close = () => {}
  applyFault(fault, clock).then(
    () => {
      if (!isClosed) close = watch()
    },
    (error: Error) => {
      if (!isClosed) onEnd(error)
    },
  )
  return () => {
    isClosed = true
    close()
  }
}
