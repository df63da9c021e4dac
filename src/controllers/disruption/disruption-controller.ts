// The disruption controller: updates the status of PodDisruptionBudgets, on which evictions are based, and resets the
// DisruptionTarget condition of pods that were not disrupted after all.
// Kubernetes: pkg/controller/disruption.DisruptionController.sync, DisruptionController.trySync
// Kubernetes: pkg/controller/disruption.DisruptionController.syncStalePodDisruption, DisruptionController.getPdbForPod
// Kubernetes: pkg/controller/disruption.DisruptionController.updatePod, DisruptionController.writePdbStatus
import { podDisruptionBudgets, pods as podKind } from '../../api/kinds.ts'
import { formatSelector } from '../../api/machinery/go-text.ts'
import type { KindSource } from '../../api/machinery/kind-set.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Pod, PodDisruptionBudget, Stored } from '../../api/types.ts'
import { messageOf } from '../../base/error-message.ts'
import { hasSameLabels, matchesLabels } from '../../base/label-selector.ts'
import type { Client } from '../../client/client.ts'
import { buildController } from '../../runtime/controller.ts'
import type { RecordingControllerParts, RunningController } from '../../runtime/controller-parts.ts'
import { keyOf } from '../../runtime/informer.ts'
import { together } from '../../runtime/together.ts'
import { requeueAt } from '../../runtime/workers.ts'
import type { ControllerDefinition } from '../controller-definition.ts'
import { batchDelayMs } from '../shared/plan/pod-changes.ts'
import { requirementsOf } from '../shared/plan/selectors.ts'
import { countHealthy, planDisruptedPods } from './plan/disrupted-pods.ts'
import { isMeasuredByScale, planPodCounts } from './plan/expected-pods.ts'
import { controllersOf } from './plan/owners.ts'
import { staleAtMs, withoutDisruptionTarget } from './plan/stale-condition.ts'
import { type BudgetStatus, nextBudgetStatus, nextFailedStatus } from './plan/status.ts'
import { ScaleReader } from './read-scale.ts'

type Budget = Stored<PodDisruptionBudget>

interface DisruptionParts extends RecordingControllerParts {
  /** The kinds that the server has. Default: the built-in ones. */
  readonly kinds?: Pick<KindSource, 'current'>
}

export const disruptionController: ControllerDefinition = {
  name: 'controllermanager',
  start: startDisruptionController,
}

/** The component of the recorder is `controllermanager`. */
export function startDisruptionController(options: DisruptionParts): RunningController {
  const { client, clock, informers, recorder } = options
  const budgets = informers.get(podDisruptionBudgets)
  const pods = informers.get(podKind)
  const scales = new ScaleReader(client, informers, options.kinds && (() => options.kinds!.current()))
  /** By key of the budget: the number of pods in its namespace at the last sync. */
  const podCounts = new Map<string, number>()

  const readSelectedPods = (budget: Budget): Stored<Pod>[] => {
    try {
      const requirements = requirementsOf(budget.spec?.selector)
      const all = pods.byIndex('namespace', budget.metadata.namespace ?? '')
      podCounts.set(keyOf(budget), all.length)
      return requirements === undefined ? [] : all.filter(({ metadata }) => matchesLabels(requirements, metadata.labels))
    } catch (error) {
      recorder.record(budget, 'Warning', 'NoPods', `Failed to get pods: ${messageOf(error)}`)
      throw error
    }
  }

  /** The sum of the replicas that the controllers of these pods request. */
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
        budget,
        'Warning',
        'UnmanagedPods',
        `Pods selected by this PodDisruptionBudget (selector: ${formatSelector(budget.spec?.selector)}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`,
      )
    return [...replicas.values()].reduce((sum, count) => sum + count, 0)
  }

  const readCounts = async (budget: Budget, selected: readonly Stored<Pod>[]) => {
    const spec = budget.spec ?? {}
    try {
      return planPodCounts(spec, selected.length, isMeasuredByScale(spec) ? await readScale(budget, selected) : 0)
    } catch (error) {
      const why = `Failed to calculate the number of expected pods: ${messageOf(error)}`
      recorder.record(budget, 'Warning', 'CalculateExpectedPodCountFailed', why)
      throw error
    }
  }

  /** Resolves to when to reconcile again. */
  const syncBudget = async (client: Client, budget: Budget): Promise<number | undefined> => {
    const selected = readSelectedPods(budget)
    if (selected.length === 0) recorder.record(budget, 'Normal', 'NoPods', 'No matching pods found')
    const counts = await readCounts(budget, selected)
    const nowMs = clock.now()
    const { disruptedPods, notDeleted, requeueAtMs } = planDisruptedPods(budget, selected, nowMs)
    const { namespace = '' } = budget.metadata
    // As in Kubernetes, which writes the namespace twice instead of the name of the budget.
    for (const pod of notDeleted)
      recorder.record(pod, 'Warning', 'NotDeleted', `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`)
    const currentHealthy = countHealthy(selected, disruptedPods, nowMs)
    await applyStatus(client, budget, nextBudgetStatus(budget, { ...counts, currentHealthy, disruptedPods, nowMs }))
    return requeueAtMs
  }

  const applyStatus = async (client: Client, budget: Budget, status: BudgetStatus | undefined) => {
    if (status !== undefined) await client.updateStatus(podDisruptionBudgets, { ...budget, status })
  }

  const controller = buildController(options, {
    name: 'disruption',
    for: podDisruptionBudgets,
    reads: [pods, scales],
    workers: 8,
    async reconcile(budget, { client }) {
      try {
        return requeueAt(await syncBudget(client, budget), clock)
      } catch (error) {
        if (isStatusError(error, 'Conflict')) throw error
        await applyStatus(client, budget, nextFailedStatus(budget, messageOf(error), clock.now()))
        return undefined
      }
    },
    state: [podCounts],
  })

  const cleaner = buildController(options, {
    name: 'stale_pod_disruption',
    for: podKind,
    delayOf(pod) {
      const atMs = staleAtMs(pod)
      return atMs === undefined ? undefined : atMs - clock.now()
    },
    workers: 1,
    async reconcile(pod, { client }) {
      const atMs = staleAtMs(pod)
      if (atMs === undefined) return undefined
      const nowMs = clock.now()
      if (atMs > nowMs) return { requeueAfterMs: atMs - nowMs }
      await client.updateStatus(podKind, withoutDisruptionTarget(pod, nowMs))
      return undefined
    },
  })

  const isSelected = (budget: Budget, { metadata }: Stored<Pod>): boolean => {
    try {
      const requirements = requirementsOf(budget.spec?.selector)
      return requirements !== undefined && matchesLabels(requirements, metadata.labels)
    } catch {
      // The sync of the budget reports it.
      return false
    }
  }

  const enqueueBudgetsOf = (pod: Stored<Pod>): readonly Budget[] => {
    const all = budgets.byIndex('namespace', pod.metadata.namespace ?? '')
    const matching = all.filter((budget) => isSelected(budget, pod))
    for (const budget of matching) {
      const key = keyOf(budget)
      controller.enqueue(key, batchDelayMs(podCounts.get(key) ?? 0))
    }
    return matching
  }

  const recordMultipleBudgets = (pod: Stored<Pod>, matching: readonly Budget[]) => {
    const { namespace = '', name } = pod.metadata
    const [first] = matching.map(({ metadata }) => metadata.name).sort()
    const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${first}" arbitrarily.`
    recorder.record(pod, 'Warning', 'MultiplePodDisruptionBudgets', message)
  }

  pods.onChange((current, previous) => {
    if (!pods.hasSynced || !budgets.hasSynced) return
    const matching = enqueueBudgetsOf(current ?? previous!)
    if (matching.length > 1) recordMultipleBudgets(current ?? previous!, matching)
    // The budgets that the pod matched before the change of its labels.
    if (current !== undefined && previous !== undefined && !hasSameLabels(current.metadata.labels, previous.metadata.labels))
      enqueueBudgetsOf(previous)
  })

  return together([controller, cleaner])
}
