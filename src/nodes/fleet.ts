// A fleet of simulated nodes. It syncs the pods that are bound to them, as kubelets do, or plays KWOK stages on them.
import { nodes as nodeKind, pods as podKind } from '../api/kinds.ts'
import { isStatusError } from '../api/machinery/status-error.ts'
import type { Pod, Stored } from '../api/types.ts'
import { backoffMs } from '../base/backoff.ts'
import { messageOf } from '../base/error-message.ts'
import { SetMap } from '../base/maps.ts'
import { keyOf, splitKey } from '../runtime/informer.ts'
import { ContainerLogs } from './container-logs.ts'
import { startCommand, startSession } from './container-session.ts'
import { defaultHeartbeats, type FleetNode, FleetNodes } from './fleet-nodes.ts'
import type { Fleet, FleetOptions } from './fleet-options.ts'
import { crashedState } from './kubelet/container-crash.ts'
import { GuestBooks } from './kubelet/guest-books.ts'
import { isSameStatus, nextStatus } from './kubelet/pod-status.ts'
import { firstState, rejectedState, type SyncResult, syncPod } from './kubelet/pod-sync.ts'
import { resumedState } from './kubelet/resumed-state.ts'
import { SyncContext } from './kubelet/sync-context.ts'
import { createObjectReaders, type FleetEnvironment, NodeEnvironment } from './node-environment.ts'
import { isFinished, versionOf } from './pod-predicates.ts'
import { createRecord, filesOf, findRunningContainer, idleState, type PodRecord, setFiles, takeSyncTime } from './pod-record.ts'
import { PodTokens } from './pod-tokens.ts'
import { ReconcileQueue } from './reconcile-queue.ts'
import { findServer } from './simulated-servers.ts'
import { playNodeStages } from './stages/node-stages.ts'
import { createStagePlayer } from './stages/stage-player.ts'
import { TimerQueue } from './timer-queue.ts'
import { createTrustBundleReader } from './trust-bundles.ts'
import { WorkBudget } from './work-budget.ts'

/** The maximum number of pods with a pending write. */
const maxPendingWrites = 256
const maxReportedFailures = 3
const retryLimits = { firstMs: 20, maxMs: 10_000 }

export type { Fleet, FleetOptions }

export function startFleet(options: FleetOptions): Fleet {
  const { client, clock, random, informers, recorder, onFailure } = options
  const { heartbeats = defaultHeartbeats, timing, images = {}, timerTickMs } = options
  const salt = Math.floor(random.next() * 2 ** 32)
  const podInformer = informers.get(podKind)
  const records = new Map<string, PodRecord>()
  const byNode = new SetMap<string, PodRecord>()
  /** The keys of pods that are bound to nodes which are not in the fleet, or not yet, by the name of the node. */
  const unassigned = new SetMap<string, string>()
  const logs = new ContainerLogs()
  const guestBooks = new GuestBooks()
  const stagePlay = { client, recorder, stages: options.stages ?? [], salt, startedAtMs: clock.now(), onFailure }
  const player = createStagePlayer({ ...stagePlay, kind: podKind })
  const nodePlayer = createStagePlayer({ ...stagePlay, kind: nodeKind, onFailure: () => {} })
  let writing = 0
  let isStopped = false
  let onIdle: (() => void) | undefined

  const onDue = (record: PodRecord, dueMs: number) => {
    record.dueMs = dueMs
    enqueue(record)
  }
  const timers = new TimerQueue<PodRecord>(clock, onDue, timerTickMs)

  const nodes = new FleetNodes({
    client,
    clock,
    informer: informers.get(nodeKind),
    heartbeats,
    usesStages: nodePlayer !== undefined,
    maxPods: Math.max(0, ...options.nodes.slice(0, 10_000).map(({ pods = 0 }) => pods)),
    onFailure,
    onStatus({ name }, status) {
      // As in the kubelet, events about a node carry its name as the uid.
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, uid: name } }
      recorder.record(node, 'Normal', status, `Node ${name} status is now: ${status}`, { host: name })
    },
    onNode(node) {
      nodeStages?.evaluate(node.name)
      for (const record of [...(byNode.get(node.name) ?? [])]) {
        if (record.node === node) enqueue(record)
        else {
          // A new node with the name of a deleted one.
          removePod(record)
          unassigned.add(node.name, record.key)
        }
      }
      for (const key of unassigned.take(node.name)) {
        const pod = podInformer.get(key)
        if (pod?.spec?.nodeName === node.name) onPodChange(key, pod, undefined)
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
    hasRoom: () => writing < maxPendingWrites,
    reconcile(record) {
      record.isQueued = false
      const nowMs = timerTickMs === undefined ? clock.now() : takeSyncTime(record, clock.now())
      if (records.get(record.key) !== record || record.node.isDown) return 0
      try {
        return player === undefined ? syncRecord(record, nowMs) : advanceStage(record, nowMs)
      } catch (error) {
        rejectPod(record, error)
        return 0
      }
    },
  })

  const enqueue = (record: PodRecord) => {
    if (record.isQueued || isStopped) return
    record.isQueued = true
    if (!record.isWriting) queue.add(record)
  }

  /** An error while syncing a pod fails only this pod. */
  const rejectPod = (record: PodRecord, error: unknown) => {
    retryLater(record, error)
    if (player !== undefined || record.state.isDone) return
    const message = `The node cannot simulate this pod: ${messageOf(error).slice(0, 512)}`
    recorder.record(record.pod, 'Warning', 'FailedSync', message, { host: record.node.name })
    record.state = rejectedState(clock.now(), 'SimulationFailed', message)
    record.needsResume = false
    releaseResources(record)
  }

  const fleetEnvironment: FleetEnvironment = {
    salt,
    timing,
    images,
    ...createObjectReaders(informers),
    ...(options.mountsTrustBundles && { readTrustBundles: createTrustBundleReader(informers) }),
    tokens: options.issueToken && new PodTokens(clock, options.issueToken),
    readAllocatable: (node) => (nodes.object(node)?.status?.allocatable ?? {}) as Readonly<Record<string, string>>,
  }

  const environmentOf = ({ pod, node, podIp, faults }: PodRecord) => new NodeEnvironment(fleetEnvironment, pod, node, podIp, faults)

  /** Admits a pod that is bound to a node of the fleet, and starts to sync it. */
  const addPod = (pod: Stored<Pod>, node: FleetNode) => {
    const known = pod.status?.podIP
    if (known !== undefined && !pod.spec?.hostNetwork) node.addresses.keep(known)
    const isOver = isFinished(pod)
    const podIp = pod.spec?.hostNetwork ? node.ip : (known ?? (isOver ? '' : (node.addresses.take() ?? '')))
    const isNew = pod.status?.startTime === undefined && !isOver
    const rejection = isNew && player === undefined ? node.usage.admit(pod, nodes.allocatable(node), nodes.object(node)) : undefined
    const needsResume = player === undefined && !isNew && rejection === undefined
    const state =
      rejection !== undefined
        ? rejectedState(clock.now(), rejection.reason, rejection.message)
        : player !== undefined || needsResume
          ? idleState
          : firstState(pod, clock.now(), fleetEnvironment)
    const record = createRecord(pod, node, podIp, state, needsResume, !state.isDone && !(needsResume && isOver))
    if (record.usesNodeResources) node.usage.add(pod)
    if (rejection !== undefined) recorder.record(pod, 'Warning', rejection.reason, rejection.message, { host: node.name })
    records.set(record.key, record)
    byNode.add(node.name, record)
    enqueue(record)
  }

  /** The pod no longer uses resources of its node. */
  const releaseResources = (record: PodRecord) => {
    if (!record.usesNodeResources) return
    record.usesNodeResources = false
    record.node.usage.remove(record.pod)
  }

  const removePod = (record: PodRecord) => {
    records.delete(record.key)
    byNode.remove(record.node.name, record)
    timers.delete(record)
    releaseResources(record)
    if (record.podIp !== '' && !record.pod.spec?.hostNetwork) record.node.addresses.release(record.podIp)
    logs.forget(record.pod.metadata.uid)
    fleetEnvironment.tokens?.forget(record.pod.metadata.uid)
  }

  const onPodChange = (key: string, current: Stored<Pod> | undefined, previous: Stored<Pod> | undefined) => {
    try {
      observePod(key, current, previous)
    } catch (error) {
      onFailure(`pod ${key}`, error)
    }
  }

  const observePod = (key: string, current: Stored<Pod> | undefined, previous: Stored<Pod> | undefined) => {
    const record = records.get(key)
    if (record !== undefined && record.pod.metadata.uid !== current?.metadata.uid) removePod(record)
    if (current === undefined) {
      unassigned.remove(previous?.spec?.nodeName ?? '', key)
      return
    }
    const known = records.get(key)
    if (known === undefined) {
      const { nodeName } = current.spec ?? {}
      const node = nodes.get(nodeName)
      if (node !== undefined) addPod(current, node)
      else if (nodeName) unassigned.add(nodeName, key)
      return
    }
    const isNew = versionOf(current) > versionOf(known.pod)
    // Of two equal versions, keep the object that the cache shares.
    if (versionOf(current) >= versionOf(known.pod)) known.pod = current
    if (isNew && !known.isWriting) enqueue(known)
  }

  podInformer.onChange((current, previous) => onPodChange(keyOf(current ?? previous!), current, previous))

  /** Syncs a pod and starts the resulting writes. Returns the work units that the pod used. */
  const syncRecord = (record: PodRecord, nowMs: number): number => {
    const { pod } = record
    const environment = environmentOf(record)
    if (record.needsResume) record.state = resumedState(pod, nowMs, environment)
    record.needsResume = false
    const result = syncPod(record.state, pod, nowMs, environment)
    apply(record, result)
    const isTerminated = pod.metadata.deletionTimestamp !== undefined && result.state.isDone
    const removes = isTerminated && pod.metadata.deletionGracePeriodSeconds !== 0
    const status = nextStatus(result.state, pod, nowMs, environment)
    const isChanged = !isSameStatus(status, pod.status)
    if (!isChanged && !removes) return result.workUnits
    void write(record, async (onWritten) => {
      if (isChanged) onWritten(await client.updateStatus(podKind, { ...pod, ...(status && { status }) }))
      if (removes) await client.delete(podKind, splitKey(record.key), { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } })
    })
    return result.workUnits
  }

  const advanceStage = (record: PodRecord, nowMs: number): number => {
    const { pod } = record
    const work = new WorkBudget()
    record.stage = player!.plan(pod, record.stage, record.playedStages, record.lastStage, nowMs, work)
    if (record.stage === undefined) {
      timers.delete(record)
      return work.spent
    }
    const { stage, dueMs } = record.stage
    if (dueMs > nowMs) {
      timers.set(record, dueMs)
      return work.spent
    }
    void write(record, async (onWritten) => {
      await player!.ready
      const answer = await player!.play(pod, stage, record.node, record.podIp, nowMs)
      record.stage = undefined
      record.lastStage = stage
      record.playedStages++
      if (answer === undefined) return
      onWritten(answer)
      if (isFinished(record.pod)) releaseResources(record)
      if (versionOf(answer) > versionOf(pod) || stage.spec.immediateNextStage) enqueue(record)
    })
    return work.spent
  }

  /**
   * Writes of one pod are serial. The record holds the newest version of the pod, from the watch or from the response to its own
   * write, so that a sync never decides on a pod that lacks that write. A write needs no sync of its own; a version that another
   * client wrote meanwhile gets one when the write has ended.
   */
  const write = async (record: PodRecord, run: (onWritten: (answer: Stored<Pod>) => void) => Promise<void>) => {
    let syncedVersion = versionOf(record.pod)
    record.isWriting = true
    writing++
    try {
      await run((answer) => {
        syncedVersion = versionOf(answer)
        if (syncedVersion > versionOf(record.pod)) record.pod = answer
      })
      record.failures = 0
    } catch (error) {
      retryLater(record, error)
    } finally {
      if (versionOf(record.pod) !== syncedVersion) enqueue(record)
      record.isWriting = false
      writing--
      if (record.isQueued && records.get(record.key) === record) queue.add(record)
      else queue.schedule()
      if (isStopped && writing === 0) onIdle?.()
    }
  }

  const apply = (record: PodRecord, step: SyncResult) => {
    const { node, pod } = record
    record.state = step.state
    node.hostFiles = step.hostFiles
    for (const image of step.pulled) node.images.add(image)
    for (const { type, reason, message, fieldPath } of step.events)
      recorder.record(pod, type, reason, message, { host: node.name, ...(fieldPath !== undefined && { fieldPath }) })
    for (const output of step.output) logs.append(pod.metadata.uid, output)
    if (step.state.isDone) {
      releaseResources(record)
      logs.end(pod.metadata.uid)
    }
    if (step.requeueAtMs !== undefined) timers.set(record, step.requeueAtMs)
    else timers.delete(record)
  }

  const retryLater = (record: PodRecord, error: unknown) => {
    if (isStopped || isStatusError(error, 'NotFound')) return
    record.failures++
    // After a conflict the watch delivers, or has delivered, the newer object.
    if (!isStatusError(error, 'Conflict') && record.failures <= maxReportedFailures)
      onFailure(`node ${record.node.name}: pod ${record.key}`, error)
    const waitMs = backoffMs(record.failures, retryLimits)
    timers.set(record, clock.now() + waitMs)
  }

  /** Finds a running container of a pod in this fleet. */
  const find = ({ metadata }: Pod, name: string) => {
    const record = records.get(`${metadata?.namespace}/${metadata?.name}`)
    if (record === undefined || record.pod.metadata.uid !== metadata?.uid || record.node.isDown) return undefined
    const found = findRunningContainer(record, name)
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
      timers.stop()
      if (writing > 0)
        await new Promise<void>((resolve) => {
          onIdle = resolve
        })
    },
    readLog: (pod, request) => logs.read(pod.metadata?.uid ?? '', request, clock.now()),
    exec(pod, name, command, listener, input = '') {
      const found = find(pod, name)
      if (found === undefined) return undefined
      const { record, container, startedAtMs } = found
      const contextOf = () => new SyncContext(record.pod, clock.now(), environmentOf(record), record.state.files, undefined)
      const process = startCommand(contextOf(), container, command, input, listener)
      if (process === undefined) return () => {}
      const readFiles = () => (!isStopped && find(pod, name)?.startedAtMs === startedAtMs ? contextOf().files : undefined)
      return startSession(process, clock, { readFiles, writeFiles: (files) => enqueue(setFiles(record, files)) }, listener)
    },
    answerHttp(pod, name, request) {
      const one = find(pod, name)
      return one && guestBooks.responseOf(one.record.pod, one.container, filesOf(one.record), request, clock.now() - one.startedAtMs)
    },
    findServer: (pod, port) =>
      findServer(pod, port, { clock, findContainer: (name) => find(pod, name)?.container, readData: fleetEnvironment.readData }),
    addNodes: (specs) => nodes.create(specs),
    stopNode: (name) => nodes.setDown(name, true),
    startNode: (name) => nodes.setDown(name, false),
    setFaults({ namespace, name }, faults) {
      const record = player === undefined ? records.get(`${namespace}/${name}`) : undefined
      if (record === undefined) return undefined
      record.faults = faults
      enqueue(record)
      return record.pod
    },
    readPod: ({ namespace, name }) => records.get(`${namespace}/${name}`)?.pod,
    hasNode: (name) => nodes.get(name) !== undefined,
    crash({ namespace, name }, exitCode = 137, container) {
      const record = records.get(`${namespace}/${name}`)
      const state = record && crashedState(record.state, record.pod, exitCode, clock.now(), container)
      if (record === undefined || state === undefined || state === record.state) return false
      record.state = state
      enqueue(record)
      return true
    },
  }
}
