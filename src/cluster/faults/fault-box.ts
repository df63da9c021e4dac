// Everything that goes wrong on demand: what was ordered, what of it goes on, and how it ends. Faults live in this
// process: a cluster that starts again is well.
import { nodes as nodeKind } from '../../api/kinds.ts'
import { failure } from '../../api/machinery/status-error.ts'
import type { Node, Stored } from '../../api/types.ts'
import { type CancelTimer, type Clock, formatTime } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import type { Fleet } from '../../nodes/fleet.ts'
import { downAnnotation } from '../../nodes/fleet-nodes.ts'
import type { PodFault } from '../../nodes/kubelet/pod-faults.ts'
import type { ControllerControls } from '../controller-set.ts'
import type { ApiFault, ApiFaults } from './api-faults.ts'
import { Drain } from './drain.ts'
import { readLengthMs, readPlurals, readRefusalCode, readShare, readVerbs } from './fault-order.ts'
import type { ApiOrder, ControllerOrder, Fault, FaultOrder, NodeOrder, PodOrder } from './fault-words.ts'

export interface FaultResult {
  /** What was done, for people: `node-1 is down for 5m`. */
  readonly message: string
  /** What goes on of it. Absent: it is over, as a crash is. */
  readonly fault?: Fault
}

type Nodes = Pick<Fleet, 'stopNode' | 'startNode' | 'crash' | 'setFaults' | 'readPod' | 'hasNode'>

export interface FaultBoxOptions {
  readonly clock: Clock
  /** Sees the cluster as it is: no fault touches it. */
  readonly client: Client
  readonly api: ApiFaults
  /** Undefined while they are not there. */
  readNodes(): Nodes | undefined
  readControllers(): ControllerControls | undefined
  onFailure(what: string, error: unknown): void
}

interface Running {
  readonly id: string
  readonly order: FaultOrder
  /** What it is about: `node/node-1`. One order for a subject and an action takes the place of the last. */
  readonly subject: string
  readonly sinceMs: number
  readonly untilMs?: number
  cancel: CancelTimer
  end(): void | Promise<void>
  isOver?(): boolean
  progress?(): string
}

type Beginning = Pick<Running, 'end' | 'isOver' | 'progress'>

const unknown = (message: string) => failure(404, 'NotFound', message, {})
const conflict = (message: string) => failure(409, 'Conflict', message, {})

export class FaultBox {
  readonly #options: FaultBoxOptions
  readonly #running = new Map<string, Running>()
  #lastId = 0

  constructor(options: FaultBoxOptions) {
    this.#options = options
  }

  /** Throws a StatusError when it cannot be done: 400 badly said, 404 no such thing, 409 not now. */
  async order(order: FaultOrder): Promise<FaultResult> {
    switch (order.target) {
      case 'node':
        return this.#node(order)
      case 'pod':
        return this.#pod(order)
      case 'api':
        return this.#api(order)
      case 'controller':
        return this.#controller(order)
    }
  }

  list(): Fault[] {
    for (const one of [...this.#running.values()]) if (one.isOver?.()) this.#drop(one)
    return [...this.#running.values()].map(shown)
  }

  /** Those with these ids, or all. Returns how many there were. Throws when there is none of such an id. */
  async clear(ids?: readonly string[]): Promise<number> {
    const chosen = (ids ?? [...this.#running.keys()]).map((id) => {
      const found = this.#running.get(id)
      if (found === undefined) throw unknown(`there is no fault ${JSON.stringify(id)}: rollcall chaos list tells which there are`)
      return found
    })
    for (const one of chosen) await this.#finish(one)
    return chosen.length
  }

  /** Ends nothing: the cluster is going down. */
  stop(): void {
    for (const one of [...this.#running.values()]) this.#drop(one)
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
        throw conflict(`${name} stays down: take away its annotation with kubectl annotate node ${name} ${downAnnotation}-`)
      if (before === undefined) return { message: `${name} registers anew` }
      return { message: ended === 0 ? `${name} is up already` : `${name} is back` }
    }
    if (action === 'drain') {
      for (const one of [...this.#running.values()]) if (one.subject === subject && one.order.action === action) await this.#finish(one)
      const drain = new Drain({ client: this.#options.client, clock: this.#options.clock, node: name, onFailure: this.#options.onFailure })
      try {
        await drain.start()
      } catch (error) {
        throw (error as { readonly status?: { readonly code?: number } }).status?.code === 404 ? this.#noSuchNode(name) : error
      }
      const begun = { end: () => drain.end(), progress: () => drain.progress }
      return this.#begin(order, subject, begun, `${name} is cordoned: ${drain.progress}`)
    }
    if (!(nodes?.stopNode(name) ?? false)) throw this.#noSuchNode(name)
    return this.#begin(order, subject, { end: () => void nodes?.startNode(name) }, `${name} is down`)
  }

  async #readNode(name: string): Promise<Stored<Node> | undefined> {
    const { items } = await this.#options.client.list(nodeKind, { fieldSelector: `metadata.name=${name}` })
    return items[0]
  }

  #noSuchNode(name: string) {
    return unknown(`there is no simulated node ${JSON.stringify(name)}: kubectl get nodes tells which there are`)
  }

  async #pod(order: PodOrder): Promise<FaultResult> {
    const { name, namespace = 'default', action, container, exitCode } = order
    const ref = { namespace, name }
    const nodes = this.#options.readNodes()
    const pod = nodes?.readPod(ref)
    const shownName = `pod ${namespace}/${name}`
    if (nodes === undefined || pod === undefined)
      throw unknown(`there is no ${shownName} on a simulated node: kubectl get pods -n ${namespace} -o wide tells which there are`)
    const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])]
    const meant = containers.filter((one) => container === undefined || one.name === container)
    if (meant.length === 0)
      throw unknown(
        `there is no container ${JSON.stringify(container)} in ${shownName}: it has ${containers.map((one) => one.name).join(', ')}`,
      )
    const subject = `pod/${namespace}/${name}`
    if (action === 'recover') {
      const ended = await this.#endAll(subject)
      return { message: ended === 0 ? `${shownName} is well already` : `${shownName} is left alone` }
    }
    if (action === 'crash' && order.for === undefined) {
      if (!nodes.crash(ref, exitCode, container)) throw conflict(`nothing runs in ${shownName}`)
      return { message: `${shownName} has crashed` }
    }
    for (const probe of ['readiness', 'liveness'] as const)
      if (action === `fail-${probe}` && !meant.some((one) => one[`${probe}Probe`]))
        throw conflict(
          `${container === undefined ? shownName : `container ${container} of ${shownName}`} has no ${probe} probe that could fail`,
        )
    const { uid } = pod.metadata
    const fault: PodFault = { action, ...(container !== undefined && { container }), ...(exitCode !== undefined && { exitCode }) }
    const others = () =>
      [...this.#running.values()].flatMap((one) => (one.subject === subject && one.order !== order ? podFaultOf(one.order) : []))
    const isOver = () => nodes.readPod(ref)?.metadata.uid !== uid
    const result = await this.#begin(
      order,
      subject,
      { isOver, end: () => (isOver() ? undefined : void nodes.setFaults(ref, others())) },
      `${shownName} ${podWords[action]}`,
    )
    if (nodes.setFaults(ref, [...others(), fault]) !== undefined) return result
    await this.clear([result.fault!.id])
    throw conflict(`${shownName} lives by stages: it has no containers that could fail`)
  }

  async #api(order: ApiOrder): Promise<FaultResult> {
    const { action, delay, share, code, verbs, kinds, agents } = order
    if (action === 'slow' && code !== undefined)
      throw failure(400, 'BadRequest', 'a server that is slow refuses nothing: code is for refuse', {})
    const fault: ApiFault = {
      delayMs: delay !== undefined ? readLengthMs('delay', delay) : action === 'slow' ? usualDelayMs : 0,
      ...(action === 'refuse' && { code: readRefusalCode(code ?? 503) }),
      share: share === undefined ? 1 : readShare(share),
      ...(verbs?.length && { verbs: readVerbs(verbs) }),
      ...(kinds?.length && { plurals: readPlurals(kinds) }),
      ...(agents?.length && { agents }),
    }
    const { api } = this.#options
    api.add(fault)
    const does = action === 'slow' ? `takes ${fault.delayMs} ms longer` : `refuses with ${fault.code}`
    return this.#begin(
      order,
      `api/${this.#lastId + 1}`,
      { end: () => api.delete(fault) },
      `the API server ${does}${shareWords(fault.share)}`,
    )
  }

  async #controller(order: ControllerOrder): Promise<FaultResult> {
    const { name, action } = order
    const controls = this.#options.readControllers()
    if (controls === undefined) throw conflict('the controllers are not running')
    const names = name === 'all' ? controls.names : controls.names.filter((one) => one === name)
    if (names.length === 0) throw unknown(`there is no controller ${JSON.stringify(name)}: there are ${controls.names.join(', ')}`)
    const subject = `controller/${name}`
    const who = name === 'all' ? 'every controller' : name
    const each = (run: (one: string) => Promise<void>) => Promise.all(names.map(run)).then(() => undefined)
    const ended = await this.#endAll(subject, false)
    if (action === 'start') {
      await each((one) => controls.start(one))
      return { message: ended === 0 ? `${who} runs already` : `${who} runs again` }
    }
    if (action === 'restart') {
      await each((one) => controls.stop(one))
      await each((one) => controls.start(one))
      return { message: `${who} has died and started again` }
    }
    await each((one) => (action === 'stop' ? controls.stop(one) : controls.makeStale(one)))
    const words = action === 'stop' ? 'is stopped' : 'hears of no change any more'
    const end = () => (this.#options.readControllers() === controls ? each((one) => controls.start(one)) : undefined)
    return this.#begin(order, subject, { end }, `${who} ${words}`)
  }

  async #begin(order: FaultOrder, subject: string, beginning: Beginning, message: string): Promise<FaultResult> {
    for (const one of [...this.#running.values()])
      if (one.subject === subject && one.order.action === order.action && containerOf(one.order) === containerOf(order)) this.#drop(one)
    const { clock } = this.#options
    const sinceMs = clock.now()
    const forMs = order.for === undefined ? undefined : readLengthMs('for', order.for)
    const running: Running = {
      id: `f${++this.#lastId}`,
      order,
      subject,
      sinceMs,
      ...(forMs !== undefined && { untilMs: sinceMs + forMs }),
      cancel: () => {},
      ...beginning,
    }
    if (forMs !== undefined)
      running.cancel = clock.after(forMs, () => {
        this.#finish(running).catch((error: unknown) => this.#options.onFailure(`ending fault ${running.id}`, error))
      })
    this.#running.set(running.id, running)
    return { message: order.for === undefined ? message : `${message}, for ${order.for}`, fault: shown(running) }
  }

  async #endAll(subject: string, undoes = true): Promise<number> {
    const meant = [...this.#running.values()].filter((one) => one.subject === subject)
    for (const one of meant) {
      if (undoes) await this.#finish(one)
      else this.#drop(one)
    }
    return meant.length
  }

  async #finish(one: Running): Promise<void> {
    this.#drop(one)
    await one.end()
  }

  #drop(one: Running): void {
    one.cancel()
    this.#running.delete(one.id)
  }
}

const usualDelayMs = 200

const podWords: Readonly<Record<PodOrder['action'], string>> = {
  crash: 'crashes whenever it runs',
  hang: 'will not end when it is told to',
  unready: 'is not ready',
  'fail-readiness': 'fails its readiness probe',
  'fail-liveness': 'fails its liveness probe',
  recover: 'is left alone',
}

const shareWords = (share: number) => (share === 1 ? '' : `, for ${Number((share * 100).toFixed(3))}% of the requests`)

const containerOf = (order: FaultOrder) => (order.target === 'pod' ? order.container : undefined)

function podFaultOf(order: FaultOrder): PodFault[] {
  if (order.target !== 'pod' || order.action === 'recover') return []
  const { action, container, exitCode } = order
  return [{ action, ...(container !== undefined && { container }), ...(exitCode !== undefined && { exitCode }) }]
}

function shown({ id, order, sinceMs, untilMs, progress }: Running): Fault {
  return {
    id,
    order,
    since: formatTime(sinceMs),
    ...(untilMs !== undefined && { until: formatTime(untilMs) }),
    ...(progress && { progress: progress() }),
  }
}
