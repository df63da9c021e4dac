// Records what the program reads, watches and writes, and what changes in the store.
import type { KubernetesObject } from '../../api/types.ts'
import { realClock } from '../../base/clock.ts'
import { addCount } from '../../base/maps.ts'
import { isWrite } from '../../cluster/faults/call-selection.ts'
import type { ApiCall, FindFault, RequestFault } from '../../server/http/request-faults.ts'
import type { Store, StoreEvent } from '../../store/store.ts'
import type { StoredChange, TracedRequest } from '../trace.ts'

/** Changes that say nothing about the work of a controller. */
const backgroundPlurals = ['leases', 'events']
const backgroundKeys = ['leases.coordination.k8s.io/', 'events/', 'events.events.k8s.io/', 'nodes/', 'csinodes.storage.k8s.io/']

/** Of a ConfigMap or Endpoints in which older programs elect their leader. */
const electionAnnotation = '"control-plane.alpha.kubernetes.io/leader":'

export const isBackground = (key: string, json: string): boolean =>
  backgroundKeys.some((prefix) => key.startsWith(prefix)) || json.includes(electionAnnotation)

interface ObserverOptions {
  readonly store: Store
  /** Judges the requests. */
  judge(call: ApiCall): RequestFault | undefined
}

export class Observer {
  readonly #options: ObserverOptions
  readonly #startMs = realClock.now()
  readonly requests: TracedRequest[] = []
  readonly changes: StoredChange[] = []
  /** By kind. */
  readonly watched = new Map<string, number>()
  readonly reads = new Map<string, number>()
  /** Requests of any client that have no response yet. */
  inFlight = 0
  /** When an object last changed, or a write was answered. */
  lastActivityMs = realClock.now()
  step = 0
  readonly #elections = new Set<string>()

  constructor(options: ObserverOptions) {
    this.#options = options
    options.store.watch('', options.store.revision, (events) => {
      for (const event of events) this.#addChange(event)
    })
  }

  get elapsedMs(): number {
    return realClock.now() - this.#startMs
  }

  /** The newest revision of the store. */
  get revision(): number {
    return this.#options.store.revision
  }

  /** Whether the request renews the leadership of the program. */
  isElection({ plural, namespace, name = '' }: ApiCall): boolean {
    return this.#elections.has(`${plural}/${namespace}/${name}`)
  }

  #addChange({ type, record, previous }: StoreEvent): void {
    if (isBackground(record.key, record.value)) {
      this.#elections.add(record.key)
      return
    }
    this.lastActivityMs = realClock.now()
    this.changes.push({
      type: type === 'delete' ? 'delete' : previous === undefined ? 'create' : 'update',
      key: record.key,
      revision: record.revision,
      step: this.step,
      atMs: this.elapsedMs,
      before: previous?.value,
      after: type === 'delete' ? undefined : record.value,
    })
  }

  readonly findFault: FindFault = (call) => {
    const fault = this.#options.judge(call)
    const isProgram = call.user.startsWith('program')
    if (call.verb === 'watch') {
      if (isProgram) addCount(this.watched, call.plural, 1)
      return fault
    }
    this.inFlight++
    const sinceRevision = this.revision
    const isTraced = isProgram && isWrite(call) && !backgroundPlurals.includes(call.plural) && !this.isElection(call)
    const traced = isTraced ? this.#trace(call) : undefined
    if (isProgram && traced === undefined) addCount(this.reads, `${call.verb} ${call.plural}`, 1)
    return {
      delayMs: 0,
      ...fault,
      ended: (code, answer) => {
        this.inFlight--
        if (traced !== undefined) this.#finish(traced, code, sinceRevision, answer?.object)
        fault?.ended?.(code, answer)
      },
    }
  }

  #trace(call: ApiCall): TracedRequest {
    const { verb, group, plural, subresource, namespace, name, agent, user } = call
    const traced: TracedRequest = {
      verb,
      group,
      plural,
      subresource: subresource ?? '',
      namespace,
      name: name ?? '',
      agent,
      user,
      step: this.step,
      atMs: this.elapsedMs,
      revision: this.revision,
      code: 0,
      change: undefined,
    }
    this.requests.push(traced)
    return traced
  }

  #finish(traced: TracedRequest, code: number, sinceRevision: number, answer: KubernetesObject | undefined): void {
    this.lastActivityMs = realClock.now()
    traced.code = code
    if (answer?.metadata?.name !== undefined) traced.name = answer.metadata.name
    const suffix = `${traced.plural}${traced.group === '' ? '' : `.${traced.group}`}/${traced.namespace === '' ? '' : `${traced.namespace}/`}${traced.name}`
    const revision = Number(answer?.metadata?.resourceVersion)
    for (let i = this.changes.length - 1; i >= 0; i--) {
      const change = this.changes[i]!
      if (change.revision <= sinceRevision) return
      if (change.by === undefined && (change.revision === revision || change.key === suffix)) {
        change.by = traced
        traced.change = change
        return
      }
    }
  }
}
