// Prepares objects for a run: sets its policy, and the times on their pods. Pure.
import { isJsonObject } from '../../api/machinery/json-object.ts'
import { settingAnnotation } from '../../api/machinery/setting-annotation.ts'
import type { KubernetesObject, Writable } from '../../api/types.ts'
import type { PlannedTiming } from './plan.ts'
import { isField, type Policy } from './result.ts'
import { assumedStops } from './stop-times.ts'

type Loose = { [key: string]: unknown }
type Annotations = Record<string, string>
interface LooseContainer extends Loose {
  name?: string
  restartPolicy?: string
  lifecycle?: { preStop?: unknown; postStart?: unknown }
}
interface LooseTemplate {
  metadata?: { annotations?: Annotations }
  spec?: { containers?: LooseContainer[]; initContainers?: LooseContainer[]; terminationGracePeriodSeconds?: number }
}

const prefix = 'rollcall.dev/'
export const defaultStartup = '5s±2s'

/** What holds for one workload: what is said for all of them comes first. */
export const timingOf = (
  object: KubernetesObject,
  all: PlannedTiming,
  each: Readonly<Record<string, PlannedTiming>> = {},
): PlannedTiming => ({
  ...(each[`${object.kind}/${object.metadata?.namespace ?? 'default'}/${object.metadata?.name}`.toLowerCase()] ??
    each[`${object.kind}/${object.metadata?.name}`.toLowerCase()]),
  ...all,
})

export function prepareObject(object: KubernetesObject, policy: Policy, timing: PlannedTiming): KubernetesObject {
  const copy = structuredClone(object) as Writable<KubernetesObject> & { spec?: Loose }
  if (copy.kind === 'Deployment' && isJsonObject(copy.spec))
    applyPolicy(copy.spec, copy.metadata?.annotations as Annotations | undefined, policy)
  const template = templateOf(copy)
  if (template !== undefined) applyTiming(template, timing, copy.kind === 'Job' || copy.kind === 'CronJob')
  return copy as KubernetesObject
}

const networkPrograms =
  /\b(wget|curl|nc|ncat|netcat|nslookup|dig|getent|host|ping|telnet|pg_isready|psql|mysql|mysqladmin|mongo|mongosh|redis-cli|kubectl|grpc_health_probe|wait-for(-it)?(\.sh)?)\b|\/dev\/tcp\//

/** An init container whose script waits for another server. */
export const asksNetwork = ({ command, args, restartPolicy }: LooseContainer): boolean =>
  restartPolicy !== 'Always' &&
  [command, args].some((list) => Array.isArray(list) && list.some((word) => typeof word === 'string' && networkPrograms.test(word)))

function applyPolicy(spec: Loose, annotations: Annotations | undefined, policy: Policy): void {
  delete spec['podReplacementPolicy']
  delete spec['terminatingAsActive']
  if (annotations !== undefined)
    for (const name of ['pod-replacement-policy', 'terminating-as-active']) delete annotations[`${prefix}${name}`]
  const [name, more] = policy.split('+')
  if (isField(policy)) spec['podReplacementPolicy'] = name
  if (more !== undefined) spec['terminatingAsActive'] = true
}

/** The pod template of a workload. */
export function templateOf(object: KubernetesObject): LooseTemplate | undefined {
  const { spec } = object as { spec?: { template?: LooseTemplate; jobTemplate?: { spec?: { template?: LooseTemplate } } } }
  if (!isJsonObject(spec)) return undefined
  const template = object.kind === 'CronJob' ? spec.jobTemplate?.spec?.template : spec.template
  return isJsonObject(template) && isJsonObject(template.spec) && Array.isArray(template.spec?.containers) ? template : undefined
}

function applyTiming(template: LooseTemplate, timing: PlannedTiming, endsByItself: boolean): void {
  const { containers = [], initContainers = [] } = template.spec!
  const given = template.metadata?.annotations ?? {}
  const isSet = (setting: string) =>
    Object.keys(given).some((key) => key === `${prefix}${setting}` || key.startsWith(`${prefix}${setting}.`))
  const annotations: Annotations = { ...given }
  const [first, ...others] = containers
  const set = (setting: string, container: LooseContainer | undefined, value: string) => {
    if (container?.name !== undefined) annotations[settingAnnotation(setting, container.name)] = value
  }

  if (timing.startup !== undefined) {
    // The time is for the pod as a whole: nothing else may take any time.
    Object.assign(annotations, { [`${prefix}start-delay`]: '0s', [`${prefix}pull-delay`]: timing.pull ?? '0s' })
    set('ready-delay', first, timing.startup)
    for (const container of others) set('ready-delay', container, '0s')
    for (const container of containers) for (const probe of ['readinessProbe', 'startupProbe']) delete container[probe]
    for (const container of initContainers) {
      for (const probe of ['readinessProbe', 'startupProbe']) delete container[probe]
      if (container.restartPolicy === 'Always') set('ready-delay', container, '0s')
      else {
        set('run-for', container, '0s')
        set('exit-code', container, '0')
      }
    }
  } else if (!endsByItself && !isSet('ready-delay') && !isSet('start-delay')) set('ready-delay', first, defaultStartup)

  // There is no network in which they could find what they wait for.
  for (const container of initContainers.filter((one) => asksNetwork(one) && !isSet('run-for') && !isSet('exit-code'))) {
    set('run-for', container, '0s')
    set('exit-code', container, '0')
  }

  if (timing.stop !== undefined) {
    set('stop-delay', first, timing.stop)
    for (const container of [...others, ...initContainers]) set('stop-delay', container, '0s')
    for (const container of [...containers, ...initContainers]) delete container.lifecycle?.preStop
  } else
    for (const { container, delay, reason } of assumedStops(template.spec!)) {
      if (reason !== 'opaque' && isSet('stop-delay')) continue
      if (reason === 'opaque') {
        if (isStopSet(container, given)) continue
        delete container.lifecycle?.preStop
      }
      set('stop-delay', container, delay)
    }

  template.metadata = { ...template.metadata, annotations }
}

/** Whether an annotation says how long the container takes to stop. */
export const isStopSet = ({ name = '' }: { readonly name?: string }, annotations: Readonly<Record<string, string>> = {}): boolean =>
  `${prefix}stop-delay` in annotations || settingAnnotation('stop-delay', name) in annotations
