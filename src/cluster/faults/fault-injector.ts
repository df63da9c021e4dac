// Injects faults into a cluster on request, keeps the active ones, and ends them. Faults live in this process only: after a
// restart of the cluster there are none.
import { nodes as nodeKind } from '../../api/kinds.ts'
import { failure, isStatusError } from '../../api/machinery/status-error.ts'
import type { Node, Stored } from '../../api/types.ts'
import { type CancelTimer, type Clock, formatTime } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import type { Fleet } from '../../nodes/fleet.ts'
import { downAnnotation } from '../../nodes/fleet-nodes.ts'
import type { PodFault } from '../../nodes/kubelet/pod-faults.ts'
import type { FindFault } from '../../server/http/request-faults.ts'
import { type ApiFault, ApiFaults, withApiFaults } from './api-faults.ts'
import { ClientFaults } from './client-faults.ts'
import { readClientRule } from './client-order.ts'
import { Drain } from './drain.ts'
import { readDurationField, readPlurals, readRefusalCode, readShare, readVerbs } from './fault-order.ts'
import type { ApiOrder, ClientOrder, ControllerOrder, Fault, FaultOrder, NodeOrder, PodOrder } from './fault-types.ts'
import type { ControllerControls } from './interruptible-controllers.ts'

export interface FaultResult {
  /** Human-readable: `node-1 is down, for 5m`. */
  readonly message: string
  /** Absent: the fault happened at once and is over, such as a crash. */
  readonly fault?: Fault
}

type Nodes = Pick<Fleet, 'stopNode' | 'startNode' | 'crash' | 'setFaults' | 'readPod' | 'hasNode'>

interface FaultInjectorOptions {
  readonly clock: Clock
  readonly random: Random
  /** Not affected by faults. */
  readonly client: Client
  /** The newest revision of the store. */
  revision(): number
  /** Undefined while the nodes are not running. */
  readNodes(): Nodes | undefined
  readControllers(): ControllerControls | undefined
  onFailure(what: string, error: unknown): void
}

interface ActiveFault {
  readonly id: string
  readonly order: FaultOrder
  /** `node/node-1`. A new order with the same subject and action replaces the previous one. */
  readonly subject: string
  readonly sinceMs: number
  readonly untilMs?: number
  cancel: CancelTimer
  end(): void | Promise<void>
  isOver?(): boolean
  progress?(): string
}

type FaultHandlers = Pick<ActiveFault, 'end' | 'isOver' | 'progress'>

const notFound = (message: string) => failure(404, 'NotFound', message, {})
const conflict = (message: string) => failure(409, 'Conflict', message, {})

export class FaultInjector {
  readonly #options: FaultInjectorOptions
  readonly #active = new Map<string, ActiveFault>()
  readonly api: ApiFaults
  readonly clients: ClientFaults
  #lastId = 0

  constructor(options: FaultInjectorOptions) {
    this.#options = options
    this.api = new ApiFaults(options.random)
    this.clients = new ClientFaults({ clock: options.clock, revision: options.revision })
  }

  /** The client of a controller or node in this process, subject to API faults. `name` is used as its User-Agent. */
  wrapClient(client: Client, name: string): Client {
    return this.clients.wrapClient(withApiFaults(client, name, this.api, this.#options.clock), name)
  }

  /** The fault of a request over HTTP. */
  readonly judge: FindFault = (call) => {
    const general = this.api.judge(call)
    const own = this.clients.judge(call)
    if (general === undefined || own === undefined) return general ?? own
    return { ...own, ...general, delayMs: general.delayMs + own.delayMs }
  }

  /** Whether this error was injected and needs no log entry. */
  hasRefused(error: unknown): boolean {
    return this.api.hasRefused(error) || this.clients.hasRefused(error)
  }

  /** Throws a StatusError where it is not possible: 400 for an invalid order, 404 for an unknown target, 409 for a target in the wrong state. */
  async order(order: FaultOrder): Promise<FaultResult> {
    switch (order.target) {
      case 'node':
        return this.#node(order)
      case 'pod':
        return this.#pod(order)
      case 'api':
        return this.#api(order)
      case 'client':
        return this.#client(order)
      case 'controller':
        return this.#controller(order)
    }
  }

  /** The names that orders for controllers may have. */
  get controllers(): readonly string[] {
    return this.#options.readControllers()?.names ?? []
  }

  list(): Fault[] {
    for (const one of [...this.#active.values()]) if (one.isOver?.()) void this.#finish(one)
    return [...this.#active.values()].map(faultOf)
  }

  /** Ends the fault with this id, or all. Returns how many there were. Throws a StatusError (404) for an unknown id. */
  async clear(id?: string): Promise<number> {
    if (id !== undefined && !this.#active.has(id))
      throw notFound(`there is no fault ${JSON.stringify(id)}. List the active faults with rollcall chaos list`)
    const chosen = [...this.#active.values()].filter((one) => id === undefined || one.id === id)
    for (const one of chosen) await this.#finish(one)
    return chosen.length
  }

  /** Forgets all faults without ending them: the cluster is stopping. */
  stop(): void {
    for (const one of [...this.#active.values()]) this.#drop(one)
  }

  async #node(order: NodeOrder): Promise<FaultResult> {
    const { name, action } = order
    const nodes = this.#options.readNodes()
    const subject = `node/${name}`
    if (action === 'up') {
      const ended = await this.#endAll(subject)
      const before = await this.#readNode(name)
      if (!(nodes?.startNode(name) ?? false) && ended === 0) throw this.#noSuchNode(name)
      if (before?.metadata.annotations?.[downAnnotation] === 'true')
        throw conflict(`${name} stays down because of its annotation. Remove it with kubectl annotate node ${name} ${downAnnotation}-`)
      if (before === undefined) return { message: `${name} registers again` }
      return { message: ended === 0 ? `${name} is up already` : `${name} is back` }
    }
    if (action === 'drain') {
      for (const one of [...this.#active.values()]) if (one.subject === subject && one.order.action === action) await this.#finish(one)
      const drain = new Drain({ client: this.#options.client, clock: this.#options.clock, node: name, onFailure: this.#options.onFailure })
      try {
        await drain.start()
      } catch (error) {
        throw isStatusError(error, 'NotFound') ? this.#noSuchNode(name) : error
      }
      const handlers = { end: () => drain.end(), progress: () => drain.progress }
      return this.#begin(order, subject, handlers, `${name} is cordoned: ${drain.progress}`)
    }
    if (!(nodes?.stopNode(name) ?? false)) throw this.#noSuchNode(name)
    return this.#begin(order, subject, { end: () => void nodes?.startNode(name) }, `${name} is down`)
  }

  async #readNode(name: string): Promise<Stored<Node> | undefined> {
    const { items } = await this.#options.client.list(nodeKind, { fieldSelector: `metadata.name=${name}` })
    return items[0]
  }

  #noSuchNode(name: string) {
    return notFound(`there is no simulated node ${JSON.stringify(name)}. List the nodes with kubectl get nodes`)
  }

  async #pod(order: PodOrder): Promise<FaultResult> {
    const { name, namespace = 'default', action, container, exitCode } = order
    const ref = { namespace, name }
    const nodes = this.#options.readNodes()
    const pod = nodes?.readPod(ref)
    const shownName = `pod ${namespace}/${name}`
    if (nodes === undefined || pod === undefined)
      throw notFound(`there is no ${shownName} on a simulated node. List the pods with kubectl get pods -n ${namespace} -o wide`)
    const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])]
    const affected = containers.filter((one) => container === undefined || one.name === container)
    if (affected.length === 0)
      throw notFound(
        `there is no container ${JSON.stringify(container)} in ${shownName}. Its containers are ${containers.map((one) => one.name).join(', ')}`,
      )
    const subject = `pod/${namespace}/${name}`
    if (action === 'recover') {
      const ended = await this.#endAll(subject)
      return { message: ended === 0 ? `${shownName} has no faults` : `${shownName} has no faults any more` }
    }
    if (action === 'crash' && order.for === undefined) {
      if (!nodes.crash(ref, exitCode, container)) throw conflict(`nothing runs in ${shownName}`)
      return { message: `${shownName} has crashed` }
    }
    for (const probe of ['readiness', 'liveness'] as const)
      if (action === `fail-${probe}` && !affected.some((one) => one[`${probe}Probe`]))
        throw conflict(
          `${container === undefined ? shownName : `container ${container} of ${shownName}`} has no ${probe} probe that could fail`,
        )
    const { uid } = pod.metadata
    const others = () =>
      [...this.#active.values()].flatMap((one) => (one.subject === subject && one.order !== order ? podFaultOf(one.order) : []))
    const isOver = () => nodes.readPod(ref)?.metadata.uid !== uid
    const result = await this.#begin(
      order,
      subject,
      { isOver, end: () => (isOver() ? undefined : void nodes.setFaults(ref, others())) },
      `${shownName} ${podMessages[action]}`,
    )
    if (nodes.setFaults(ref, [...others(), ...podFaultOf(order)]) !== undefined) return result
    await this.clear(result.fault!.id)
    throw conflict(`${shownName} is driven by Stages. It has no containers that could fail`)
  }

  async #api(order: ApiOrder): Promise<FaultResult> {
    const { action, delay, share, code, verbs, kinds, agents } = order
    if (action === 'slow' && code !== undefined)
      throw failure(400, 'BadRequest', 'only the action refuse has a code. Leave it out with slow', {})
    const fault: ApiFault = {
      delayMs: delay !== undefined ? readDurationField('delay', delay) : action === 'slow' ? defaultDelayMs : 0,
      ...(action === 'refuse' && { code: readRefusalCode(code ?? 503) }),
      share: share === undefined ? 1 : readShare(share),
      ...(verbs?.length && { verbs: readVerbs(verbs) }),
      ...(kinds?.length && { plurals: readPlurals(kinds) }),
      ...(agents?.length && { agents }),
    }
    const { api } = this
    api.add(fault)
    const does = action === 'slow' ? `takes ${fault.delayMs} ms longer` : `refuses with ${fault.code}`
    return this.#begin(
      order,
      `api/${this.#lastId + 1}`,
      { end: () => api.delete(fault) },
      `the API server ${does}${describeShare(fault.share)}`,
    )
  }

  async #client(order: ClientOrder): Promise<FaultResult> {
    const { clients } = this
    const { agents = [], users = [] } = order
    const rule = readClientRule(order)
    const shown = [...agents, ...users].join(', ') || 'every client'
    const running = clients.add(rule)
    const handlers = { isOver: () => running.state === 'over', end: () => clients.remove(running) }
    const message = `${order.action} for ${shown}${order.after === undefined ? '' : `, after ${order.after}`}`
    // It is over already: the watches have ended.
    if (running.state === 'over') {
      clients.remove(running)
      return { message }
    }
    return this.#begin(order, `client/${this.#lastId + 1}`, handlers, message)
  }

  async #controller(order: ControllerOrder): Promise<FaultResult> {
    const { name, action } = order
    const controls = this.#options.readControllers()
    if (controls === undefined) throw conflict('the controllers are not running')
    const names = name === 'all' ? controls.names : controls.names.filter((one) => one === name)
    if (names.length === 0)
      throw notFound(`there is no controller ${JSON.stringify(name)}. The controllers are ${controls.names.join(', ')}`)
    const subject = `controller/${name}`
    const shownName = name === 'all' ? 'every controller' : name
    const each = (run: (one: string) => Promise<void>) => Promise.all(names.map(run)).then(() => undefined)
    const ended = await this.#endAll(subject, false)
    if (action === 'start') {
      await each((one) => controls.start(one))
      return { message: ended === 0 ? `${shownName} runs already` : `${shownName} runs again` }
    }
    if (action === 'restart') {
      await each((one) => controls.stop(one))
      await each((one) => controls.start(one))
      return { message: `${shownName} has died and started again` }
    }
    await each((one) => (action === 'stop' ? controls.stop(one) : controls.makeStale(one)))
    const state = action === 'stop' ? 'is stopped' : 'receives no changes any more'
    const end = () => (this.#options.readControllers() === controls ? each((one) => controls.start(one)) : undefined)
    return this.#begin(order, subject, { end }, `${shownName} ${state}`)
  }

  async #begin(order: FaultOrder, subject: string, handlers: FaultHandlers, message: string): Promise<FaultResult> {
    for (const one of [...this.#active.values()])
      if (one.subject === subject && one.order.action === order.action && containerOf(one.order) === containerOf(order)) this.#drop(one)
    const { clock } = this.#options
    const sinceMs = clock.now()
    const forMs = order.for === undefined ? undefined : readDurationField('for', order.for)
    const active: ActiveFault = {
      id: `f${++this.#lastId}`,
      order,
      subject,
      sinceMs,
      ...(forMs !== undefined && { untilMs: sinceMs + forMs }),
      cancel: () => {},
      ...handlers,
    }
    if (forMs !== undefined)
      active.cancel = clock.after(forMs, () => {
        this.#finish(active).catch((error: unknown) => this.#options.onFailure(`ending fault ${active.id}`, error))
      })
    this.#active.set(active.id, active)
    return { message: order.for === undefined ? message : `${message}, for ${order.for}`, fault: faultOf(active) }
  }

  async #endAll(subject: string, undoes = true): Promise<number> {
    const ending = [...this.#active.values()].filter((one) => one.subject === subject)
    for (const one of ending) {
      if (undoes) await this.#finish(one)
      else this.#drop(one)
    }
    return ending.length
  }

  async #finish(one: ActiveFault): Promise<void> {
    this.#drop(one)
    await one.end()
  }

  #drop(one: ActiveFault): void {
    one.cancel()
    this.#active.delete(one.id)
  }
}

const defaultDelayMs = 200

const podMessages: Readonly<Record<PodOrder['action'], string>> = {
  crash: 'crashes whenever it runs',
  hang: 'will not terminate when it is deleted',
  unready: 'is not ready',
  'fail-readiness': 'fails its readiness probe',
  'fail-liveness': 'fails its liveness probe',
  recover: 'has no faults any more',
}

const describeShare = (share: number) => (share === 1 ? '' : `, for ${Number((share * 100).toFixed(3))}% of the requests`)

const containerOf = (order: FaultOrder) => (order.target === 'pod' ? order.container : undefined)

function podFaultOf(order: FaultOrder): PodFault[] {
  if (order.target !== 'pod' || order.action === 'recover') return []
  const { action, container, exitCode } = order
  return [{ action, ...(container !== undefined && { container }), ...(exitCode !== undefined && { exitCode }) }]
}

function faultOf({ id, order, sinceMs, untilMs, progress }: ActiveFault): Fault {
  return {
    id,
    order,
    since: formatTime(sinceMs),
    ...(untilMs !== undefined && { until: formatTime(untilMs) }),
    ...(progress && { progress: progress() }),
  }
}
