// A fleet of simulated nodes: it brings pods that are bound to them up, keeps them going, and lets them go.
import { nodes as nodeKind, pods as podKind } from '../api/kinds.ts'
import { isStatusError } from '../api/machinery/status-error.ts'
import type { Pod, Stored } from '../api/types.ts'
import { keyOf, splitKey } from '../runtime/informer.ts'
import { ContainerLogs } from './container-logs.ts'
import { startCommand, startSession } from './container-session.ts'
import { type FleetNode, FleetNodes, usualHeartbeats } from './fleet-nodes.ts'
import type { Fleet, FleetOptions } from './fleet-options.ts'
import { isWorthTelling } from './kubelet/brief.ts'
import { crashedState } from './kubelet/crash.ts'
import { answerOf } from './kubelet/http-answers.ts'
import { firstState, type Moment, nextMoment, rejectedState } from './kubelet/next-step.ts'
import { resumedState } from './kubelet/resume.ts'
import { nextStatus } from './kubelet/status.ts'
import { Turn } from './kubelet/turn.ts'
import { Place, type Region } from './place.ts'
import { readersOf } from './pod-data.ts'
import { isFinished, isGoingOrTimed, messageOf, versionOf } from './pod-facts.ts'
import { filesOf, findRunning, idleState, newRecord, type PodRecord } from './pod-record.ts'
import { ReconcileQueue } from './reconcile-queue.ts'
import { isSameStatus } from './same-status.ts'
import type { Files } from './shell/files.ts'
import { playNodeStages } from './stages/node-stages.ts'
import { createStagePlayer } from './stages/stage-player.ts'
import { StrayPods } from './stray-pods.ts'
import { WakeHeap } from './wake-heap.ts'
import { Work } from './work.ts'

/** So many pods are written at a time. */
const writesAtATime = 256
const maxReportedFailures = 3
const shortestRetryMs = 20
const longestRetryMs = 10_000

export type { Fleet, FleetOptions }

export function startFleet(options: FleetOptions): Fleet {
  const { client, clock, random, informers, recorder, onFailure } = options
  const { heartbeats = usualHeartbeats, timing, images = {}, isBrief = false } = options
  const salt = Math.floor(random.next() * 2 ** 32)
  const podInformer = informers.get(podKind)
  const records = new Map<string, PodRecord>()
  const byNode = new Map<string, Set<PodRecord>>()
  const strays = new StrayPods()
  const logs = new ContainerLogs()
  const stagePlay = { client, recorder, stages: options.stages ?? [], salt, startedAtMs: clock.now(), onFailure }
  const player = createStagePlayer({ ...stagePlay, kind: podKind })
  const nodePlayer = createStagePlayer({ ...stagePlay, kind: nodeKind, onFailure: () => {} })
  let writing = 0
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
          strays.add(node.name, record.key)
        }
      }
      for (const key of strays.take(node.name)) {
        const pod = podInformer.get(key)
        if (pod?.spec?.nodeName === node.name) observe(key, pod, undefined)
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

  const queue = new ReconcileQueue<PodRecord>({
    clock,
    hasRoom: () => writing < writesAtATime,
    reconcile(record) {
      record.isWanted = false
      if (records.get(record.key) !== record || record.node.isDown) return 0
      try {
        return player === undefined ? look(record) : lookForStage(record)
      } catch (error) {
        contain(record, error)
        return 0
      }
    },
  })

  const want = (record: PodRecord) => {
    if (record.isWanted || isStopped) return
    record.isWanted = true
    if (!record.isBusy) queue.add(record)
  }

  /** Whatever is in a pod fails that pod alone. */
  const contain = (record: PodRecord, error: unknown) => {
    fail(record, error)
    if (player !== undefined || record.state.isDone) return
    const message = `The node cannot simulate this pod: ${messageOf(error)}`
    recorder.record(record.pod, 'Warning', 'FailedSync', message, { host: record.node.name })
    record.state = rejectedState(clock.now(), 'SimulationFailed', message)
    record.isToBeResumed = false
    uncount(record)
  }

  const region: Region = {
    salt,
    timing,
    images,
    ...readersOf(informers),
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
    const isToBeResumed = player === undefined && !isNew && rejection === undefined
    const state =
      rejection !== undefined
        ? rejectedState(clock.now(), rejection.reason, rejection.message)
        : player !== undefined || isToBeResumed
          ? idleState
          : firstState(pod, clock.now(), region)
    const record = newRecord(pod, node, podIp, state, isToBeResumed, !state.isDone && !(isToBeResumed && isOver))
    if (record.isCounted) node.use.add(pod)
    if (rejection !== undefined) recorder.record(pod, 'Warning', rejection.reason, rejection.message, { host: node.name })
    records.set(record.key, record)
    const those = byNode.get(node.name)
    if (those === undefined) byNode.set(node.name, new Set([record]))
    else those.add(record)
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

  const observe = (key: string, current: Stored<Pod> | undefined, previous: Stored<Pod> | undefined) => {
    try {
      compare(key, current, previous)
    } catch (error) {
      onFailure(`pod ${key}`, error)
    }
  }

  const compare = (key: string, current: Stored<Pod> | undefined, previous: Stored<Pod> | undefined) => {
    const record = records.get(key)
    if (current === undefined || (record !== undefined && record.pod.metadata.uid !== current.metadata.uid)) {
      if (record !== undefined) drop(record)
      if (current === undefined) {
        strays.delete(previous?.spec?.nodeName ?? '', key)
        return
      }
    }
    const known = records.get(key)
    if (known === undefined) {
      const { nodeName } = current.spec ?? {}
      const node = nodes.get(nodeName)
      if (node !== undefined) take(current, node)
      else if (nodeName) strays.add(nodeName, key)
      return
    }
    const isKnown = versionOf(current) <= versionOf(known.pod)
    // The answer to our own write is known already; the shared copy is kept in its place.
    if (versionOf(current) >= versionOf(known.pod)) known.pod = current
    if (isKnown) return
    if (known.isReporting) known.hasNews = true
    else want(known)
  }

  podInformer.onChange((current, previous) => observe(keyOf(current ?? previous!), current, previous))

  /** One look at a pod, and the writes that come of it. Returns the work that the pod did. */
  const look = (record: PodRecord): number => {
    const { node } = record
    const { pod } = record
    const nowMs = clock.now()
    const surroundings = new Place(region, pod, node, record.podIp, record.faults)
    if (record.isToBeResumed) record.state = resumedState(pod, nowMs, surroundings)
    record.isToBeResumed = false
    const moment = nextMoment(record.state, pod, nowMs, surroundings)
    apply(record, moment)
    const isGoing = pod.metadata.deletionTimestamp !== undefined && moment.state.isDone
    const removes = isGoing && pod.metadata.deletionGracePeriodSeconds !== 0
    const isTold = !isBrief || isWorthTelling(pod, moment.state, removes)
    const status = isTold ? nextStatus(moment.state, pod, nowMs, surroundings) : pod.status
    const isChanged = isTold && !isSameStatus(status, pod.status)
    if (!isChanged && !removes) return moment.workUnits
    void write(record, async () => {
      if (isChanged) await report(record, { ...pod, ...(status && { status }) })
      if (removes) await client.delete(podKind, splitKey(record.key), { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } })
    })
    return moment.workUnits
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

  const lookForStage = (record: PodRecord): number => {
    const nowMs = clock.now()
    const { pod } = record
    const work = new Work()
    record.stage = player!.plan(pod, record.stage, record.played, record.lastStage, nowMs, work)
    if (record.stage === undefined) {
      wakes.delete(record)
      return work.spent
    }
    const { stage, dueMs } = record.stage
    if (dueMs > nowMs) {
      wakes.set(record, dueMs)
      return work.spent
    }
    void write(record, async () => {
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
    return work.spent
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
      if (record.isWanted && records.get(record.key) === record) queue.add(record)
      else queue.schedule()
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
    if (step.requeueAtMs !== undefined) wakes.set(record, step.requeueAtMs)
    else wakes.delete(record)
  }

  const fail = (record: PodRecord, error: unknown) => {
    if (isStopped || isStatusError(error, 'NotFound')) return
    record.failures++
    // Somebody else was faster: the newer object is on its way, or here.
    if (!isStatusError(error, 'Conflict') && record.failures <= maxReportedFailures)
      onFailure(`node ${record.node.name}: pod ${record.key}`, error)
    const waitMs = Math.min(shortestRetryMs * 2 ** (record.failures - 1), longestRetryMs)
    wakes.set(record, clock.now() + waitMs)
  }

  /** A container that runs, in a pod that lives here. */
  const find = ({ metadata }: Pod, name: string) => {
    const record = records.get(`${metadata?.namespace}/${metadata?.name}`)
    if (record === undefined || record.pod.metadata.uid !== metadata?.uid || record.node.isDown) return undefined
    const found = findRunning(record, name)
    return found && { record, ...found }
  }

  const synced = (async () => {
    await nodes.create(options.nodes)
    await informers.synced
  })()

  return {
    synced,
    async stop() {
      isStopped = true
      queue.stop()
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
      const found = find(pod, name)
      if (found === undefined) return undefined
      const { record, container, startedAtMs } = found
      const surroundings = new Place(region, record.pod, record.node, record.podIp, record.faults)
      const turn = new Turn(record.pod, clock.now(), surroundings, record.state.files, undefined)
      const process = startCommand(turn, container, command, listener)
      if (process === undefined) return () => {}
      const readFiles = () => (!isStopped && find(pod, name)?.startedAtMs === startedAtMs ? filesOf(record) : undefined)
      const writeFiles = ({ pod: podFiles, host }: Files) => {
        record.state = { ...record.state, files: podFiles }
        record.node.hostFiles = host
        want(record)
      }
      return startSession(process, clock, { readFiles, writeFiles }, listener)
    },
    answerHttp(pod, name, path) {
      const found = find(pod, name)
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
