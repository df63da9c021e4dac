// Whether what comes up before the first step of a plan can come up once for all of its runs. Pure.
import type { KubernetesObject } from '../../api/types.ts'
import type { Action, Plan } from './plan.ts'
import { templateOf } from './prepare.ts'

/** These have no pods, or have them through a Deployment. */
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

/** They speak of times that nobody looks back at once a pod is up. */
const plainSettings = /^rollcall\.dev\/(start-delay|ready-delay|stop-delay|overrun)(\.|$)/

/**
 * Pods that just run are as their status says: a cluster that starts from what is stored has them as they were. Whatever
 * a node or an autoscaler remembers besides (a script that is under way, how long nobody has needed a node) would be lost.
 */
export function mayShareBeginning({ objects, steps, autoscale }: Plan): boolean {
  if (steps.length === 0 || autoscale !== undefined || steps.some(({ action }) => action.type === 'node-down')) return false
  if (steps.some(({ action }) => asksForGeneration(action))) return false
  return objects.every(({ object }) => plainKinds.has(object.kind ?? '') && hasPlainPods(object))
}

/** A Deployment gets the policy of its run when it is there already, which makes it a generation older. */
function asksForGeneration(action: Action): boolean {
  return action.type === 'check' && action.expected.some(({ path }) => /generation/i.test(path))
}

function hasPlainPods(object: KubernetesObject): boolean {
  const template = templateOf(object)
  if (template === undefined) return object.kind !== 'Deployment'
  // Without a name it would be made again for each run.
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
