// Applies the rules for single clients to requests and watches: of clients over HTTP, and of the controllers and nodes in this process.
import { forbidden } from '../../api/machinery/field-error.ts'
import type { Resource } from '../../api/machinery/kind.ts'
import {
  alreadyExistsError,
  conflictError,
  expiredError,
  failure,
  internalError,
  invalidError,
  objectModified,
  type StatusError,
  tooManyRequestsError,
} from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { type Clock, sleep } from '../../base/clock.ts'
import type { Client, WatchEvent as ClientEvent } from '../../client/client.ts'
import type { ApiCall, FaultyWatch, RequestFault } from '../../server/http/request-faults.ts'
import type { ObjectResponse, WatchEvent, WatchListener } from '../../server/rest/rest.ts'
import { type CallTarget, wrapCalls } from '../wrapped-calls.ts'
import { selectsClient } from './call-selection.ts'
import { type ClientRule, ClientRules, type RunningRule } from './client-rules.ts'
import { WatchGate } from './watch-gate.ts'

interface ClientFaultsOptions {
  readonly clock: Clock
  revision(): number
  onAffected?(rule: RunningRule, call: ApiCall): void
  onChange?(rule: RunningRule): void
}

type AnyGate = Pick<WatchGate<unknown>, 'call' | 'flush' | 'expire' | 'heldEvents'>

const tooOld = () => expiredError('too old resource version: this error was injected')

export class ClientFaults {
  readonly #options: ClientFaultsOptions
  readonly #rules: ClientRules
  readonly #gates = new Set<AnyGate>()
  readonly #errors = new WeakSet<StatusError>()

  constructor(options: ClientFaultsOptions) {
    this.#options = options
    this.#rules = new ClientRules({ ...options, onChange: (rule) => this.#changed(rule) })
  }

  add(rule: ClientRule): RunningRule {
    return this.#rules.add(rule)
  }

  remove(rule: RunningRule): void {
    this.#rules.remove(rule)
  }

  /** The events that wait now. */
  get heldEvents(): number {
    let sum = 0
    for (const { heldEvents } of this.#gates) sum += heldEvents
    return sum
  }

  /** Whether this error was injected. */
  hasRefused(error: unknown): boolean {
    return this.#errors.has(error as StatusError)
  }

  /** The fault of a request over HTTP. While there are no rules, watches are only remembered: a rule may be added later. */
  judge(call: ApiCall): RequestFault | undefined {
    if (this.#rules.isEmpty && call.verb !== 'watch') return undefined
    const found = this.#rules.takeRequest(call)
    const asOf = this.#rules.asOf(call)
    const refusal = found.find(({ rule }) => rule.effect === 'refuse')
    // As a server without streamed lists answers: the client then lists from the cache.
    if (asOf !== undefined && call.streamsList) return { delayMs: 0, error: noStreamedLists() }
    const loss = found.find(({ rule }) => rule.effect === 'lose' || rule.effect === 'cut')?.rule.effect
    return {
      delayMs: found.reduce((sum, { rule }) => sum + (rule.effect === 'slow' ? (rule.delayMs ?? 0) : 0), 0),
      ...(refusal && { error: this.#errorOf(refusal.rule, call) }),
      ...(loss && { loses: loss === 'lose' ? 'answer' : 'request' }),
      ...(asOf !== undefined && { asOf }),
      openWatch: (listener, beginsWithState) => this.#openWatch(call, listener, beginsWithState),
      ended: () => this.#rules.answered(call),
    }
  }

  /** A client in this process; its name is used as its User-Agent. Its lists are always current. */
  wrapClient(client: Client, agent: string): Client {
    const callOf = (verb: string, { group, plural }: Resource, { namespace = '', name, subresource }: CallTarget): ApiCall => ({
      verb,
      group,
      plural,
      namespace,
      ...(name !== undefined && { name }),
      ...(subresource !== undefined && { subresource }),
      agent,
      user: agent,
    })
    const calls = wrapCalls(client, async (run, verb, resource, target) => {
      if (this.#rules.isEmpty) return run()
      const call = callOf(verb, resource, target)
      const { delayMs, error, loses } = this.judge(call)!
      try {
        if (delayMs > 0) await sleep(this.#options.clock, delayMs)
        if (error !== undefined) throw error
        if (loses === 'request') throw this.#lost()
        const answer = await run()
        if (loses === 'answer') throw this.#lost()
        return answer
      } finally {
        this.#rules.answered(call)
      }
    })
    return {
      ...calls,
      watch: (resource, request, handlers) => {
        const call = callOf('watch', resource, request)
        const gate: WatchGate<ClientEvent<KubernetesObject>> = this.#addGate(
          new WatchGate({
            call,
            rules: this.#rules,
            clock: this.#options.clock,
            beginsWithState: false,
            readEvent: ({ type, object }) => seenEvent(type, object),
            retype: ({ object }, type) => ({ type, object }),
            deliver: (events) => handlers.onEvents(events as never),
            expire: () => {
              close()
              handlers.onEnd(tooOld())
            },
          }),
        )
        const closeWatch = client.watch(resource, request, {
          onEvents: (events) => gate.onEvents(events as never),
          onEnd: (error) => {
            close()
            handlers.onEnd(error)
          },
        })
        const close = () => {
          this.#gates.delete(gate)
          gate.close()
          closeWatch()
        }
        gate.started()
        return close
      },
    }
  }

  #openWatch(call: ApiCall, listener: WatchListener, beginsWithState: boolean): FaultyWatch {
    const gate: WatchGate<WatchEvent> = this.#addGate(
      new WatchGate({
        call,
        rules: this.#rules,
        clock: this.#options.clock,
        beginsWithState,
        readEvent: ({ type, object }) => seenEvent(type, type === 'ERROR' ? {} : (object as ObjectResponse).object),
        retype: ({ object }, type) => ({ type, object }),
        deliver: (events) => listener.onEvents(events),
        expire: () => listener.onEvents([{ type: 'ERROR', object: tooOld().status }]),
      }),
    )
    return {
      onEvents: (events) => gate.onEvents(events),
      onEnd: () => listener.onEnd?.(),
      started: () => gate.started(),
      close: () => {
        this.#gates.delete(gate)
        gate.close()
      },
    }
  }

  #addGate<E>(gate: WatchGate<E>): WatchGate<E> {
    this.#gates.add(gate as AnyGate)
    return gate
  }

  #changed(running: RunningRule): void {
    const { rule, state } = running
    this.#options.onChange?.(running)
    if (rule.effect === 'expire' && state === 'active') {
      for (const gate of [...this.#gates]) if (selectsClient(rule.on, gate.call)) gate.expire()
    } else if (state === 'over') for (const gate of [...this.#gates]) gate.flush()
  }

  #errorOf(rule: ClientRule, call: ApiCall): StatusError {
    const error = refusalOf(rule.code ?? 503, call)
    this.#errors.add(error)
    return error
  }

  #lost(): StatusError {
    const error = internalError('the connection was lost: this failure was injected')
    this.#errors.add(error)
    return error
  }
}

const noStreamedLists = () =>
  invalidError({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [
    forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled'),
  ])

function seenEvent(type: string, { metadata = {} }: KubernetesObject) {
  return { type, namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
}

/** The codes with which a request can be refused. */
export const clientRefusalCodes = [409, 429, 500, 503, 504]

function refusalOf(code: number, { verb, group, plural, name = '' }: ApiCall): StatusError {
  if (code === 429) return tooManyRequestsError('the server has received too many requests and has asked us to try again later', 1)
  if (code === 500) return internalError('this failure was injected')
  if (code === 503) return failure(503, 'ServiceUnavailable', 'the server is currently unable to handle the request')
  if (code === 504) return failure(504, 'Timeout', 'Timeout: request did not complete within requested timeout - context deadline exceeded')
  if (verb === 'create') return alreadyExistsError({ group, plural }, name)
  return conflictError({ group, plural }, name, objectModified)
}
