// Keeps the status of PodDisruptionBudgets, which evictions go by, and takes back announcements of disruptions that did
// not happen.
import { podDisruptionBudgets, pods as podKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/status-error.ts'
import type { Pod, PodDisruptionBudget, Stored } from '../../api/types.ts'
import { hasSameLabels, type LabelRequirements, matchesLabels, selectorRequirements } from '../../base/label-selector.ts'
import { countHealthy, planDisruptedPods } from '../../planners/disruption/disrupted-pods.ts'
import { isMeasuredByScale, planPodCounts } from '../../planners/disruption/expected-pods.ts'
import { controllersOf } from '../../planners/disruption/owners.ts'
import { formatSelector } from '../../planners/disruption/selector-text.ts'
import { staleAtMs, withoutDisruptionTarget } from '../../planners/disruption/stale-condition.ts'
import { type BudgetStatus, nextBudgetStatus, nextFailedStatus } from '../../planners/disruption/status.ts'
import { type RunningController, startController } from '../../runtime/controller.ts'
import type { TellingControllerParts } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import { ScaleReader } from './read-scale.ts'

/** The recorder speaks as `controllermanager`. */
export type DisruptionControllerOptions = TellingControllerParts

type Budget = Stored<PodDisruptionBudget>

const usualWorkers = 8

/** How long the changes of pods gather: a look at a budget costs time in proportion to the pods of its namespace. */
const gatherMs = (podCount: number) => (podCount < 200 ? 0 : Math.min(podCount / 200, 50))

export function startDisruptionController(options: DisruptionControllerOptions): RunningController {
  const { client, clock, informers, recorder, onFailure } = options
  const budgets = informers.get(podDisruptionBudgets)
  const pods = informers.get(podKind)
  const scales = new ScaleReader(client, informers)
  const selectors = new WeakMap<Budget, { readonly requirements: LabelRequirements | undefined }>()
  /** How many pods the namespace of a budget had when it was last looked at. */
  const podCounts = new Map<string, number>()
  let isSynced = false

  /** Throws for a selector that cannot be read. */
  const requirementsOf = (budget: Budget): LabelRequirements | undefined => {
    let known = selectors.get(budget)
    if (known === undefined) {
      known = { requirements: selectorRequirements(budget.spec?.selector) }
      selectors.set(budget, known)
    }
    return known.requirements
  }

  const readSelectedPods = (budget: Budget): Stored<Pod>[] => {
    try {
      const requirements = requirementsOf(budget)
      const all = pods.byIndex('namespace', budget.metadata.namespace ?? '')
      podCounts.set(keyOf(budget), all.length)
      return requirements === undefined ? [] : all.filter(({ metadata }) => matchesLabels(requirements, metadata.labels))
    } catch (error) {
      recorder.record(aboutBudget(budget), 'Warning', 'NoPods', `Failed to get pods: ${messageOf(error)}`)
      throw error
    }
  }

  /** What the controllers of these pods ask for, together. */
  const readScale = async (budget: Budget, selected: readonly Stored<Pod>[]): Promise<number> => {
    const { controllers, unmanaged } = controllersOf(selected)
    const replicas = new Map<string, number>()
    for (const { reference, podName } of controllers) {
      const scale = await scales.read(reference, budget.metadata.namespace ?? '')
      if (scale === undefined) throw new Error(`found no controllers for pod "${podName}"`)
      replicas.set(scale.uid, scale.replicas)
    }
    if (unmanaged.length > 0)
      recorder.record(
        aboutBudget(budget),
        'Warning',
        'UnmanagedPods',
        `Pods selected by this PodDisruptionBudget (selector: ${formatSelector(budget.spec?.selector)}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`,
      )
    let sum = 0
    for (const count of replicas.values()) sum += count
    return sum
  }

  const readCounts = async (budget: Budget, selected: readonly Stored<Pod>[]) => {
    const spec = budget.spec ?? {}
    try {
      return planPodCounts(spec, selected.length, isMeasuredByScale(spec) ? await readScale(budget, selected) : 0)
    } catch (error) {
      const why = `Failed to calculate the number of expected pods: ${messageOf(error)}`
      recorder.record(aboutBudget(budget), 'Warning', 'CalculateExpectedPodCountFailed', why)
      throw error
    }
  }

  /** Resolves to the moment at which to look again. */
  const syncBudget = async (budget: Budget): Promise<number | undefined> => {
    const selected = readSelectedPods(budget)
    if (selected.length === 0) recorder.record(aboutBudget(budget), 'Normal', 'NoPods', 'No matching pods found')
    const counts = await readCounts(budget, selected)
    const nowMs = clock.now()
    const { disruptedPods, notDeleted, wakeAtMs } = planDisruptedPods(budget, selected, nowMs)
    const { namespace = '' } = budget.metadata
    // Kubernetes says the namespace twice, and never the budget's name.
    for (const pod of notDeleted)
      recorder.record(
        aboutPod(pod),
        'Warning',
        'NotDeleted',
        `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`,
      )
    const currentHealthy = countHealthy(selected, disruptedPods, nowMs)
    await applyStatus(budget, nextBudgetStatus(budget, { ...counts, currentHealthy, disruptedPods, nowMs }))
    return wakeAtMs
  }

  const applyStatus = async (budget: Budget, status: BudgetStatus | undefined) => {
    if (status !== undefined) await client.updateStatus(podDisruptionBudgets, { ...budget, status })
  }

  const controller = startController({
    queues: options.queues,
    name: 'disruption',
    clock,
    workers: usualWorkers,
    async reconcile(key) {
      const budget = budgets.get(key)
      if (budget === undefined) return undefined
      try {
        const wakeAtMs = await syncBudget(budget)
        return wakeAtMs === undefined ? undefined : { againAfterMs: Math.max(wakeAtMs - clock.now(), 0) }
      } catch (error) {
        if (isStatusError(error, 'Conflict')) throw error
        await applyStatus(budget, nextFailedStatus(budget, messageOf(error), clock.now()))
        return undefined
      }
    },
    onFailure: (key, error, failures) => {
      const isOrdinary = isStatusError(error, 'Conflict') || isStatusError(error, 'NotFound')
      if (!isOrdinary || failures >= 10) onFailure?.(`PodDisruptionBudget ${key}`, error)
    },
  })

  const cleaner = startController({
    queues: options.queues,
    name: 'stale_pod_disruption',
    clock,
    async reconcile(key) {
      const pod = pods.get(key)
      const atMs = pod && staleAtMs(pod)
      if (pod === undefined || atMs === undefined) return undefined
      const nowMs = clock.now()
      if (atMs > nowMs) return { againAfterMs: atMs - nowMs }
      await client.updateStatus(podKind, withoutDisruptionTarget(pod, nowMs))
      return undefined
    },
    onFailure: (key, error, failures) => {
      const isOrdinary = isStatusError(error, 'Conflict') || isStatusError(error, 'NotFound')
      if (!isOrdinary || failures >= 10) onFailure?.(`DisruptionTarget of pod ${key}`, error)
    },
  })

  const isSelected = (budget: Budget, { metadata }: Stored<Pod>): boolean => {
    try {
      const requirements = requirementsOf(budget)
      return requirements !== undefined && matchesLabels(requirements, metadata.labels)
    } catch {
      // The budget's own turn tells of it.
      return false
    }
  }

  const addBudgetsOf = (pod: Stored<Pod>): readonly Budget[] => {
    const all = budgets.byIndex('namespace', pod.metadata.namespace ?? '')
    const matching = all.filter((budget) => isSelected(budget, pod))
    for (const budget of matching) {
      const key = keyOf(budget)
      controller.queue.addAfter(key, gatherMs(podCounts.get(key) ?? 0))
    }
    return matching
  }

  const tellOfMany = (pod: Stored<Pod>, matching: readonly Budget[]) => {
    const { namespace = '', name } = pod.metadata
    const [first] = matching.map(({ metadata }) => metadata.name).sort()
    const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${first}" arbitrarily.`
    recorder.record(aboutPod(pod), 'Warning', 'MultiplePodDisruptionBudgets', message)
  }

  const addIfStale = (pod: Stored<Pod>) => {
    const atMs = staleAtMs(pod)
    if (atMs !== undefined) cleaner.queue.addAfter(keyOf(pod), atMs - clock.now())
  }

  budgets.onChange((current, previous) => {
    if (current === undefined) podCounts.delete(keyOf(previous!))
    else if (isSynced) controller.queue.add(keyOf(current))
  })

  pods.onChange((current, previous) => {
    if (!isSynced) return
    const matching = addBudgetsOf(current ?? previous!)
    if (matching.length > 1) tellOfMany(current ?? previous!, matching)
    if (current === undefined) return
    // A pod that leaves a budget by its labels is missed there.
    if (previous !== undefined && !hasSameLabels(current.metadata.labels, previous.metadata.labels)) addBudgetsOf(previous)
    addIfStale(current)
  })

  return {
    synced: Promise.all([budgets.synced, pods.synced, scales.synced]).then(() => {
      isSynced = true
      for (const budget of budgets.values()) controller.queue.add(keyOf(budget))
      for (const pod of pods.values()) addIfStale(pod)
    }),
    async stop() {
      await Promise.all([controller.stop(), cleaner.stop()])
    },
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const aboutBudget = (budget: Budget) => ({ ...budget, kind: 'PodDisruptionBudget', apiVersion: 'policy/v1' })
const aboutPod = (pod: Stored<Pod>) => ({ ...pod, kind: 'Pod', apiVersion: 'v1' })
