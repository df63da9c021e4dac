// A fleet of simulated nodes: it brings pods that are bound to them up, keeps them going, and lets them go.
import { configMaps, nodes as nodeKind, pods as podKind, secrets, services } from '../api/kinds.ts'
import { isStatusError } from '../api/status-error.ts'
import type { ConfigMap, Pod, Stored } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { Client } from '../client/client.ts'
import type { EventRecorder } from '../runtime/event-recorder.ts'
import { keyOf, splitKey } from '../runtime/informer.ts'
import type { SharedInformers } from '../runtime/shared-informers.ts'
import { ContainerLogs, type LogRequest } from './container-logs.ts'
import { type SessionListener, startSession } from './container-session.ts'
import { type FleetNode, FleetNodes, type Heartbeats, usualHeartbeats } from './fleet-nodes.ts'
import { isWorthTelling } from './kubelet/brief.ts'
import { crashedState } from './kubelet/crash.ts'
import { answerOf, type HttpAnswer } from './kubelet/http-answers.ts'
import type { ImageRules } from './kubelet/images.ts'
import { type Moment, nextMoment, rejectedState } from './kubelet/next-step.ts'
import type { PodFault } from './kubelet/pod-faults.ts'
import { codeOfUnknown, startBeside } from './kubelet/program.ts'
import { resumedState } from './kubelet/resume.ts'
import { type Timing, usualTiming } from './kubelet/settings.ts'
import type { PodState } from './kubelet/state.ts'
import { nextStatus } from './kubelet/status.ts'
import { ephemeralOf, Turn } from './kubelet/turn.ts'
import type { NodeSpec } from './node-object.ts'
import { Place, type Region } from './place.ts'
import { isSameStatus } from './same-status.ts'
import { type Files, noFiles } from './shell/files.ts'
import { playNodeStages } from './stages/node-stages.ts'
import type { Stage } from './stages/stage.ts'
import { createStagePlayer, type StageWait } from './stages/stage-player.ts'
import { WakeHeap } from './wake-heap.ts'

export interface FleetOptions {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly informers: SharedInformers
  readonly recorder: EventRecorder
  readonly nodes: readonly NodeSpec[]
  readonly heartbeats?: Heartbeats
  /** How long things take where neither the pod nor a stage says it. */
  readonly timing?: Timing
  readonly images?: ImageRules
  /** KWOK's stages. With any for pods, pods live by them and not as on a kubelet; with any for nodes, so do the nodes. */
  readonly stages?: readonly Stage[]
  /** Only that is told of pods which others decide by: that they are ready, that they fail, that they are gone. */
  readonly isBrief?: boolean
  onFailure(what: string, error: unknown): void
}

export interface Fleet {
  /** Resolves when the nodes are there and their pods are known. */
  readonly synced: Promise<void>
  stop(): Promise<void>
  /** As the API server wants it for `kubectl logs`. */
  readLog(pod: Pod, request: LogRequest): string | AsyncIterable<string>
  /** Runs a command in a container, as `kubectl exec` does; returns how to stop. Undefined: the container does not run. */
  exec(pod: Pod, container: string, command: readonly string[], listener: SessionListener): (() => void) | undefined
  /** What a container answers to GET. Undefined: it does not run, or nobody here knows. */
  answerHttp(pod: Pod, container: string, path: string): HttpAnswer | undefined
  /** More nodes, as an autoscaler asks for them. */
  addNodes(specs: readonly NodeSpec[]): Promise<void>
  /** The node goes silent: no heartbeats, and its pods stay as they are. False: no such node here. */
  stopNode(name: string): boolean
  /** It is back, with its pods as they were. */
  startNode(name: string): boolean
  /** What runs in the pod, or in one container of it, ends with that code. False: nothing runs there. */
  crash(pod: { readonly namespace: string; readonly name: string }, exitCode?: number, container?: string): boolean
  /** What goes wrong in that pod from now on; an empty list ends it. The pod, or undefined: there is no such pod here. */
  setFaults(pod: { readonly namespace: string; readonly name: string }, faults: readonly PodFault[]): Stored<Pod> | undefined
  /** The pods that live here. */
  readPod(pod: { readonly namespace: string; readonly name: string }): Stored<Pod> | undefined
  hasNode(name: string): boolean
}

interface PodRecord {
  readonly key: string
  readonly node: FleetNode
  pod: Stored<Pod>
  podIp: string
  state: PodState
  faults?: readonly PodFault[]
  /** It counts against the size of its node. */
  isCounted: boolean
  isBusy: boolean
  /** Its status is being written: what is heard of it meanwhile may be just that. */
  isReporting: boolean
  hasNews: boolean
  isWanted: boolean
  failures: number
  /** With stages: what it waits for, and how many it has been through. */
  stage?: StageWait | undefined
  lastStage?: Stage
  played: number
}

/** So many pods are written at a time. */
const writesAtATime = 256
/** So many are looked at before others get their turn. */
const looksInOneGo = 256
const shortestRetryMs = 20
const longestRetryMs = 10_000

export function startFleet(options: FleetOptions): Fleet {
  const { client, clock, random, informers, recorder, onFailure } = options
  const { heartbeats = usualHeartbeats, timing = usualTiming, images = {}, isBrief = false } = options
  const salt = Math.floor(random.next() * 2 ** 32)
  const podInformer = informers.get(podKind)
  const configMapInformer = informers.get(configMaps)
  const secretInformer = informers.get(secrets)
  const serviceInformer = informers.get(services)
  const records = new Map<string, PodRecord>()
  const byNode = new Map<string, Set<PodRecord>>()
  /** Pods of nodes that are not here, or not yet. */
  const strays = new Map<string, Set<string>>()
  const wanted: PodRecord[] = []
  const logs = new ContainerLogs()
  const stagePlay = { client, recorder, stages: options.stages ?? [], salt, startedAtMs: clock.now(), onFailure }
  const player = createStagePlayer({ ...stagePlay, kind: podKind })
  const nodePlayer = createStagePlayer({ ...stagePlay, kind: nodeKind, onFailure: () => {} })
  let writing = 0
  let isPumpPending = false
  let isStopped = false
  let onIdle: (() => void) | undefined

  const wakes = new WakeHeap<PodRecord>(clock, (record) => want(record))

  const nodes = new FleetNodes({
    client,
    clock,
    informer: informers.get(nodeKind),
    heartbeats,
    livesByStages: nodePlayer !== undefined,
    mostPods: Math.max(0, ...options.nodes.slice(0, 10_000).map(({ pods = 0 }) => pods)),
    onFailure,
    onStatus({ name }, status) {
      // A kubelet knows its node by its name alone.
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, uid: name } }
      recorder.record(node, 'Normal', status, `Node ${name} status is now: ${status}`, { host: name })
    },
    onNode(node) {
      nodeStages?.look(node.name)
      for (const record of [...(byNode.get(node.name) ?? [])]) {
        if (record.node === node) want(record)
        else {
          // A new node under the name of one that is gone.
          drop(record)
          noteStray(node.name, record.key)
        }
      }
      const keys = strays.get(node.name) ?? []
      strays.delete(node.name)
      for (const key of keys) {
        const pod = podInformer.get(key)
        if (pod?.spec?.nodeName === node.name) take(pod, node)
      }
    },
  })

  const nodeStages =
    nodePlayer &&
    playNodeStages({
      clock,
      informer: informers.get(nodeKind),
      player: nodePlayer,
      findNode(name) {
        const node = nodes.get(name)
        return node?.isDown ? undefined : node
      },
      onFailure,
    })

  const noteStray = (nodeName: string, key: string) => {
    const keys = strays.get(nodeName)
    if (keys === undefined) strays.set(nodeName, new Set([key]))
    else keys.add(key)
  }

  const want = (record: PodRecord) => {
    if (record.isWanted || isStopped) return
    record.isWanted = true
    if (record.isBusy) return
    wanted.push(record)
    schedulePump()
  }

  const schedulePump = () => {
    if (isPumpPending || isStopped) return
    isPumpPending = true
    clock.after(0, () => {
      isPumpPending = false
      pump()
    })
  }

  const pump = () => {
    let looks = 0
    let at = 0
    for (; at < wanted.length && writing < writesAtATime && looks < looksInOneGo && !isStopped; at++) {
      const record = wanted[at]!
      record.isWanted = false
      if (records.get(record.key) !== record) continue
      looks++
      look(record)
    }
    wanted.splice(0, at)
    if (wanted.length > 0 && writing < writesAtATime) schedulePump()
  }

  const readData = (namespace: string) => (kind: 'ConfigMap' | 'Secret', name: string) => {
    if (kind === 'ConfigMap') return dataOf(configMapInformer.get(`${namespace}/${name}`))
    const secret = secretInformer.get(`${namespace}/${name}`)
    return (
      secret && Object.fromEntries(Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
    )
  }

  const region: Region = {
    salt,
    timing,
    images,
    readData,
    *readServices(namespace) {
      const master = serviceInformer.get('default/kubernetes')
      if (master !== undefined) yield master
      if (namespace !== undefined) yield* serviceInformer.byIndex('namespace', namespace)
    },
    readAllocatable: (node) => (nodes.object(node)?.status?.allocatable ?? {}) as Readonly<Record<string, string>>,
  }

  /** A pod that is bound to one of our nodes. */
  const take = (pod: Stored<Pod>, node: FleetNode) => {
    const known = pod.status?.podIP
    if (known !== undefined && !pod.spec?.hostNetwork) node.addresses.keep(known)
    const isOver = isFinished(pod)
    const podIp = pod.spec?.hostNetwork ? node.ip : (known ?? (isOver ? '' : (node.addresses.take() ?? '')))
    const isNew = pod.status?.startTime === undefined && !isOver
    const rejection = isNew && player === undefined ? node.use.judge(pod, nodes.allocatable(node), nodes.object(node)) : undefined
    const state =
      player !== undefined
        ? playedState
        : rejection === undefined
          ? resumedState(pod, clock.now(), new Place(region, pod, node, podIp))
          : rejectedState(clock.now(), rejection.reason, rejection.message)
    const record: PodRecord = {
      key: keyOf(pod),
      node,
      pod,
      podIp,
      state,
      isCounted: !state.isDone,
      isBusy: false,
      isReporting: false,
      hasNews: false,
      isWanted: false,
      failures: 0,
      played: 0,
    }
    if (record.isCounted) node.use.add(pod)
    if (rejection !== undefined) recorder.record(pod, 'Warning', rejection.reason, rejection.message, { host: node.name })
    records.set(record.key, record)
    let those = byNode.get(node.name)
    if (those === undefined) {
      those = new Set()
      byNode.set(node.name, those)
    }
    those.add(record)
    // Until its sandbox is there, there is nothing to do, and where little is told nothing to tell.
    if (isBrief && isNew && !isGoingOrTimed(pod) && state.sandboxAtMs > clock.now() && !isWorthTelling(pod, state, false))
      wakes.set(record, state.sandboxAtMs)
    else want(record)
  }

  /** It no longer takes room on its node. */
  const uncount = (record: PodRecord) => {
    if (!record.isCounted) return
    record.isCounted = false
    record.node.use.remove(record.pod)
  }

  const drop = (record: PodRecord) => {
    records.delete(record.key)
    byNode.get(record.node.name)?.delete(record)
    wakes.delete(record)
    uncount(record)
    if (record.podIp !== '' && !record.pod.spec?.hostNetwork) record.node.addresses.release(record.podIp)
    logs.forget(record.pod.metadata.uid)
  }

  podInformer.onChange((current, previous) => {
    const key = keyOf(current ?? previous!)
    const record = records.get(key)
    if (current === undefined || (record !== undefined && record.pod.metadata.uid !== current.metadata.uid)) {
      if (record !== undefined) drop(record)
      if (current === undefined) {
        strays.get(previous?.spec?.nodeName ?? '')?.delete(key)
        return
      }
    }
    const known = records.get(key)
    if (known === undefined) {
      const { nodeName } = current.spec ?? {}
      const node = nodes.get(nodeName)
      if (node !== undefined) take(current, node)
      else if (nodeName) noteStray(nodeName, key)
      return
    }
    const isKnown = versionOf(current) <= versionOf(known.pod)
    // The answer to our own write is known already; the shared copy is kept in its place.
    if (versionOf(current) >= versionOf(known.pod)) known.pod = current
    if (isKnown) return
    if (known.isReporting) known.hasNews = true
    else want(known)
  })

  /** One look at a pod, and the writes that come of it. */
  const look = (record: PodRecord) => {
    const { node } = record
    if (node.isDown) return
    if (player !== undefined) return void lookForStage(record)
    const { pod } = record
    const nowMs = clock.now()
    const surroundings = new Place(region, pod, node, record.podIp, record.faults)
    const moment = nextMoment(record.state, pod, nowMs, surroundings)
    apply(record, moment)
    const isGoing = pod.metadata.deletionTimestamp !== undefined && moment.state.isDone
    const removes = isGoing && pod.metadata.deletionGracePeriodSeconds !== 0
    const isTold = !isBrief || isWorthTelling(pod, moment.state, removes)
    const status = isTold ? nextStatus(moment.state, pod, nowMs, surroundings) : pod.status
    const isChanged = isTold && !isSameStatus(status, pod.status)
    if (!isChanged && !removes) return
    void write(record, async () => {
      if (isChanged) await report(record, { ...pod, ...(status && { status }) })
      if (removes) await client.delete(podKind, splitKey(record.key), { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } })
    })
  }

  /** Looks again at what others have written meanwhile, and not at what was written here. */
  const report = async (record: PodRecord, pod: Stored<Pod>) => {
    record.isReporting = true
    let written = Number.NaN
    try {
      const answer = await client.updateStatus(podKind, pod)
      written = versionOf(answer)
      if (written > versionOf(record.pod)) record.pod = answer
    } finally {
      record.isReporting = false
      if (record.hasNews && versionOf(record.pod) !== written) want(record)
      record.hasNews = false
    }
  }

  const lookForStage = async (record: PodRecord) => {
    const nowMs = clock.now()
    const { pod } = record
    record.stage = player!.plan(pod, record.stage, record.played, record.lastStage, nowMs)
    if (record.stage === undefined) return wakes.delete(record)
    const { stage, dueMs } = record.stage
    if (dueMs > nowMs) return wakes.set(record, dueMs)
    await write(record, async () => {
      await player!.ready
      const answer = await player!.play(pod, stage, record.node, record.podIp, nowMs)
      record.stage = undefined
      record.lastStage = stage
      record.played++
      if (answer === undefined) return
      const isChanged = versionOf(answer) > versionOf(pod)
      if (versionOf(answer) > versionOf(record.pod)) record.pod = answer
      if (isFinished(record.pod)) uncount(record)
      if (isChanged || stage.spec.immediateNextStage) want(record)
    })
  }

  /** One pod is written by one at a time. */
  const write = async (record: PodRecord, run: () => Promise<void>) => {
    record.isBusy = true
    writing++
    try {
      await run()
      record.failures = 0
    } catch (error) {
      fail(record, error)
    } finally {
      record.isBusy = false
      writing--
      if (record.isWanted && records.get(record.key) === record) {
        wanted.push(record)
        schedulePump()
      } else if (wanted.length > 0) schedulePump()
      if (isStopped && writing === 0) onIdle?.()
    }
  }

  const apply = (record: PodRecord, step: Moment) => {
    const { node, pod } = record
    record.state = step.state
    node.hostFiles = step.hostFiles
    for (const image of step.pulled) node.images.add(image)
    for (const { type, reason, message, fieldPath } of step.events)
      recorder.record(pod, type, reason, message, { host: node.name, ...(fieldPath !== undefined && { fieldPath }) })
    for (const output of step.output) logs.append(pod.metadata.uid, output)
    if (step.state.isDone) {
      uncount(record)
      logs.end(pod.metadata.uid)
    }
    if (step.wakeAtMs !== undefined) wakes.set(record, step.wakeAtMs)
    else wakes.delete(record)
  }

  const fail = (record: PodRecord, error: unknown) => {
    if (isStopped) return
    if (isStatusError(error, 'NotFound')) return
    record.failures++
    // Somebody else was faster: the newer object is on its way, or here.
    if (!isStatusError(error, 'Conflict')) onFailure(`node ${record.node.name}: pod ${record.key}`, error)
    const waitMs = Math.min(shortestRetryMs * 2 ** (record.failures - 1), longestRetryMs)
    wakes.set(record, clock.now() + waitMs)
  }

  /** A container that runs, in a pod that lives here. */
  const findRunning = ({ metadata }: Pod, name: string) => {
    const record = records.get(`${metadata?.namespace}/${metadata?.name}`)
    if (record === undefined || record.pod.metadata.uid !== metadata?.uid || record.node.isDown) return undefined
    const { spec } = record.pod
    const { containers, initContainers, ephemeralContainers } = record.state
    const lists = [
      [spec?.containers, containers],
      [spec?.initContainers, initContainers],
      [spec && ephemeralOf(spec), ephemeralContainers],
    ] as const
    for (const [specs = [], states = []] of lists) {
      const at = specs.findIndex((one) => one.name === name)
      const now = states[at]?.now
      if (now?.at === 'running') return { record, container: specs[at]!, startedAtMs: now.startedAtMs }
    }
    return undefined
  }

  const filesOf = ({ state, node }: PodRecord) => ({ pod: state.files, host: node.hostFiles })

  const synced = (async () => {
    await nodes.create(options.nodes)
    await informers.synced
  })()

  return {
    synced,
    async stop() {
      isStopped = true
      nodes.stop()
      nodeStages?.stop()
      wakes.stop()
      if (writing > 0)
        await new Promise<void>((resolve) => {
          onIdle = resolve
        })
    },
    readLog: (pod, request) => logs.read(pod.metadata?.uid ?? '', request, clock.now()),
    exec(pod, name, command, listener) {
      const found = findRunning(pod, name)
      if (found === undefined) return undefined
      const { record, container, startedAtMs } = found
      const surroundings = new Place(region, record.pod, record.node, record.podIp, record.faults)
      const turn = new Turn(record.pod, clock.now(), surroundings, record.state.files, undefined)
      const process = startBeside(turn, container, command, clock.now())
      if (process === undefined) {
        const code = codeOfUnknown(container)
        if (code !== 0) listener.onOutput(`exec: ${JSON.stringify(command[0] ?? '')}: executable file not found in $PATH\n`, true)
        listener.onEnd(code)
        return () => {}
      }
      const readFiles = () => (!isStopped && findRunning(pod, name)?.startedAtMs === startedAtMs ? filesOf(record) : undefined)
      const writeFiles = ({ pod: podFiles, host }: Files) => {
        record.state = { ...record.state, files: podFiles }
        record.node.hostFiles = host
        want(record)
      }
      return startSession(process, clock, { readFiles, writeFiles }, listener)
    },
    answerHttp(pod, name, path) {
      const found = findRunning(pod, name)
      return found && answerOf(found.record.pod, found.container, filesOf(found.record), path, clock.now() - found.startedAtMs)
    },
    addNodes: (specs) => nodes.create(specs),
    stopNode: (name) => nodes.setDown(name, true),
    startNode: (name) => nodes.setDown(name, false),
    setFaults({ namespace, name }, faults) {
      const record = player === undefined ? records.get(`${namespace}/${name}`) : undefined
      if (record === undefined) return undefined
      record.faults = faults
      want(record)
      return record.pod
    },
    readPod: ({ namespace, name }) => records.get(`${namespace}/${name}`)?.pod,
    hasNode: (name) => nodes.get(name) !== undefined,
    crash({ namespace, name }, exitCode = 137, container) {
      const record = records.get(`${namespace}/${name}`)
      const state = record && crashedState(record.state, record.pod, exitCode, clock.now(), container)
      if (record === undefined || state === undefined || state === record.state) return false
      record.state = state
      want(record)
      return true
    },
  }
}

/** A pod that lives by stages has no containers of ours. */
const playedState: PodState = { startedAtMs: 0, sandboxAtMs: 0, initContainers: [], containers: [], isDone: false, files: noFiles }

const dataOf = (object: ConfigMap | undefined) => object && (object.data ?? {})
const versionOf = ({ metadata }: Stored<Pod>) => Number(metadata.resourceVersion)
const isGoingOrTimed = ({ metadata, spec }: Pod) => Boolean(metadata?.deletionTimestamp) || spec?.activeDeadlineSeconds !== undefined
const isFinished = ({ status }: Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed'
