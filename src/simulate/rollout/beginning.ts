// Decides whether the state before the first step of a plan can be computed once and shared by all of its runs. Pure.
import type { KubernetesObject } from '../../api/types.ts'
import type { Action, Plan } from './plan.ts'
import { templateOf } from './prepare.ts'

/** Kinds without pods, or whose pods belong to a Deployment. */
const plainKinds = new Set([
  'Deployment',
  'Namespace',
  'ConfigMap',
  'Secret',
  'Service',
  'ServiceAccount',
  'ResourceQuota',
  'LimitRange',
  'PodDisruptionBudget',
  'PriorityClass',
])

/** Fields with times that are not read after a pod is ready. */
const plainSettings = /^rollcall\.dev\/(start-delay|ready-delay|stop-delay|overrun)(\.|$)/

/**
 * The status of a pod without a script describes it completely, so that a new cluster can continue with the stored pods. State that
 * only a node or the autoscaler has (the progress of a script, how long a node has been unneeded) would be lost.
 */
export function mayShareBeginning({ objects, steps, autoscale }: Plan): boolean {
  if (steps.length === 0 || autoscale !== undefined || steps.some(({ action }) => action.type === 'node-down')) return false
  if (steps.some(({ action }) => asksForGeneration(action))) return false
  return objects.every(({ object }) => plainKinds.has(object.kind ?? '') && hasPlainPods(object))
}

/** The policy of a run is set on an existing Deployment, which increments its generation. */
function asksForGeneration(action: Action): boolean {
  return action.type === 'check' && action.expected.some(({ path }) => /generation/i.test(path))
}

function hasPlainPods(object: KubernetesObject): boolean {
  const template = templateOf(object)
  if (template === undefined) return object.kind !== 'Deployment'
  // An object without a name would be created again by each run.
  if (object.metadata?.name === undefined) return false
  const { metadata = {}, spec = {} } = template
  const settings = Object.keys(metadata.annotations ?? {}).filter((key) => key.startsWith('rollcall.dev/'))
  if ((spec.initContainers?.length ?? 0) > 0 || !settings.every((key) => plainSettings.test(key))) return false
  return (spec.containers ?? []).every(
    ({ command, args, lifecycle, livenessProbe, readinessProbe, startupProbe }) =>
      command === undefined &&
      args === undefined &&
      [lifecycle?.preStop, lifecycle?.postStart, livenessProbe, readinessProbe, startupProbe].every((one) => !hasCommand(one)),
  )
}

const hasCommand = (hookOrProbe: unknown) => typeof hookOrProbe === 'object' && hookOrProbe !== null && 'exec' in hookOrProbe
