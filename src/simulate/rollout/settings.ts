// The settings of a workload that an engineer can change today, and their combinations. Pure.

import type { KubernetesObject } from '../../api/types.ts'
import { didYouMean } from '../../base/closest-name.ts'
import { scaledValue } from '../../base/int-or-percent.ts'
import { getOrAdd } from '../../base/maps.ts'
import { changedWorkloads } from './changed-workloads.ts'
import { parseLengthMs } from './lengths.ts'
import { type Plan, type PlannedObject, targetOf } from './plan.ts'
import { isPaced, isPolicy, type Policy } from './result.ts'

type Fields = Readonly<Record<string, unknown>>

interface Setting {
  /** What a value must look like, for the message. */
  readonly example: string
  isValid(value: string): boolean
  /** The object with the value; the same object where the kind does not have the setting. */
  apply(object: KubernetesObject, value: string): KubernetesObject
}

const intOrPercent = (value: string) => /^[0-9]+%?$/.test(value)
const number = (value: string): number | string => (value.endsWith('%') ? value : Number(value))
const isDuration = (value: string) => parseLengthMs(value) !== undefined
const seconds = (value: string) => Math.round((parseLengthMs(value) ?? 0) / 1000)

const specOf = (object: KubernetesObject) => ((object as { readonly spec?: Fields }).spec ?? {}) as Fields
const withSpec = (object: KubernetesObject, spec: Fields) => ({ ...object, spec: { ...specOf(object), ...spec } }) as KubernetesObject
const strategyField: Readonly<Record<string, string>> = {
  Deployment: 'strategy',
  DaemonSet: 'updateStrategy',
}
/** Kubernetes has maxUnavailable of StatefulSets behind a feature gate that is off, and drops it. */
const hasReadySeconds = new Set(['Deployment', 'DaemonSet', 'StatefulSet'])

function withRollingUpdate(object: KubernetesObject, change: Fields): KubernetesObject {
  const field = strategyField[object.kind ?? '']
  if (field === undefined) return object
  const strategy = (specOf(object)[field] ?? {}) as Fields
  return withSpec(object, {
    [field]: { ...strategy, type: 'RollingUpdate', rollingUpdate: { ...((strategy['rollingUpdate'] ?? {}) as Fields), ...change } },
  })
}

function withPodSpec(object: KubernetesObject, change: (spec: Fields) => Fields): KubernetesObject {
  const template = specOf(object)['template'] as { readonly spec?: Fields } | undefined
  return template === undefined ? object : withSpec(object, { template: { ...template, spec: change(template.spec ?? {}) } })
}

const settings = {
  maxSurge: {
    example: 'maxSurge=0,25%,50%',
    isValid: intOrPercent,
    apply: (object, value) => withRollingUpdate(object, { maxSurge: number(value) }),
  },
  maxUnavailable: {
    example: 'maxUnavailable=0,1,25%',
    isValid: intOrPercent,
    apply: (object, value) => withRollingUpdate(object, { maxUnavailable: number(value) }),
  },
  minReadySeconds: {
    example: 'minReadySeconds=0,10',
    isValid: (value) => /^[0-9]+$/.test(value),
    apply: (object, value) => (hasReadySeconds.has(object.kind ?? '') ? withSpec(object, { minReadySeconds: Number(value) }) : object),
  },
  preStop: {
    example: 'preStop=5s,30s',
    isValid: isDuration,
    apply: (object, value) =>
      withPodSpec(object, (spec) => ({
        ...spec,
        containers: ((spec['containers'] ?? []) as readonly Fields[]).map((container) => ({
          ...container,
          lifecycle: { ...((container['lifecycle'] ?? {}) as Fields), preStop: { sleep: { seconds: seconds(value) } } },
        })),
      })),
  },
  gracePeriod: {
    example: 'gracePeriod=30s,60s',
    isValid: isDuration,
    apply: (object, value) => withPodSpec(object, (spec) => ({ ...spec, terminationGracePeriodSeconds: seconds(value) })),
  },
} as const satisfies Record<string, Setting>

type SettingName = keyof typeof settings
const settingNames = Object.keys(settings) as readonly SettingName[]

/** Values to compare, of one setting or of the policy. */
export interface Choice {
  readonly setting: SettingName | 'policy'
  readonly values: readonly string[]
}

/** One combination: a value for each setting. */
export interface Combination {
  readonly policy: Policy
  readonly values: readonly { readonly setting: SettingName; readonly value: string }[]
}

/** `maxSurge=0,25%,50%`. Returns a string where the text is wrong: the message. */
export function parseChoice(text: string): Choice | string {
  const [name = '', list] = text.split('=', 2)
  const values = (list ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
  const known = [...settingNames, 'policy']
  if (!known.includes(name)) return `unknown setting "${name}".${didYouMean(name, known)} The settings are ${known.join(', ')}`
  const example = name === 'policy' ? 'policy=None,TerminationComplete,Pacer' : settings[name as SettingName].example
  if (values.length === 0) return `${name} needs values. Write ${example}`
  const isValid = (value: string) => (name === 'policy' ? isPolicy(value) : settings[name as SettingName].isValid(value))
  const wrong = values.find((value) => !isValid(value))
  return wrong === undefined ? { setting: name as Choice['setting'], values } : `cannot read "${wrong}" for ${name}. Write ${example}`
}

/** Values of one setting that were given in several parts are one choice; a value that was given twice is tried once. */
export function mergeChoices(choices: readonly Choice[]): Choice[] {
  const merged = new Map<Choice['setting'], Set<string>>()
  for (const { setting, values } of choices) {
    const known = getOrAdd(merged, setting, () => new Set())
    for (const value of values) known.add(value)
  }
  return [...merged].map(([setting, values]) => ({ setting, values: [...values] }))
}

/** All combinations, also those that a server refuses. */
export function combinationsOf(choices: readonly Choice[], policies: readonly Policy[]): Combination[] {
  const asked = choices.find(({ setting }) => setting === 'policy')
  const chosen = asked === undefined ? policies : (asked.values as readonly Policy[])
  let combinations: Combination[] = chosen.map((policy) => ({ policy, values: [] }))
  for (const { setting, values } of choices)
    if (setting !== 'policy')
      combinations = combinations.flatMap((one) => values.map((value) => ({ ...one, values: [...one.values, { setting, value }] })))
  return combinations
}

/** Stands for the value that an object has. */
export const currentValue = 'current'

const applyAll = (object: KubernetesObject, values: Combination['values']): KubernetesObject =>
  values.reduce((one, { setting, value }) => (value === currentValue ? one : settings[setting].apply(one, value)), object)

/** The values are those of `workloads`, and of workloads that a step adds. */
export function applySettings(
  plan: Plan,
  { policy, values }: Combination,
  workloads: readonly PlannedObject[] = changedWorkloads(plan),
): Plan {
  const keyOf = ({ object }: PlannedObject) => Object.values(targetOf(object)).join('/')
  const keys = new Set(workloads.map(keyOf))
  const others = new Set(plan.objects.map(keyOf).filter((key) => !keys.has(key)))
  const change = (one: PlannedObject): PlannedObject => (others.has(keyOf(one)) ? one : { ...one, object: applyAll(one.object, values) })
  return {
    ...plan,
    policies: [policy],
    objects: plan.objects.map(change),
    steps: plan.steps.map((step) =>
      step.action.type === 'apply' ? { ...step, action: { ...step.action, objects: step.action.objects.map(change) } } : step,
    ),
  }
}

/** The settings that none of the objects has, such as maxSurge of a StatefulSet. */
export const settingsWithoutEffect = (choices: readonly Choice[], objects: readonly PlannedObject[]): string[] =>
  choices.flatMap(({ setting, values: [value] }) => {
    if (setting === 'policy' || value === undefined) return []
    return objects.some(({ object }) => settings[setting].apply(object, value) !== object) ? [] : [setting]
  })

/**
 * What changes in an object, as a merge patch for kubectl. Containers are replaced as a whole in a merge patch. Only Deployments have a policy.
 */
export function patchFor(object: KubernetesObject, { policy, values }: Combination): object {
  const changed = applyAll(object, values)
  const before = specOf(object)
  const patch = Object.fromEntries(Object.entries(specOf(changed)).filter(([key, value]) => value !== before[key]))
  if (object.kind !== 'Deployment' || policy === policyOf(object)) return { spec: patch }
  const [podReplacementPolicy, asActive] = policy === 'None' || isPaced(policy) ? [] : policy.split('+')
  // In a merge patch, null removes a field.
  const wanted = { podReplacementPolicy: podReplacementPolicy ?? null, terminatingAsActive: asActive === undefined ? null : true }
  const annotations = changedIn(object.metadata?.annotations, {
    [policyAnnotation]: isPaced(policy) ? 'TerminationComplete' : null,
    'rollcall.dev/terminating-as-active': null,
  })
  return {
    ...(Object.keys(annotations).length > 0 && { metadata: { annotations } }),
    spec: { ...patch, ...changedIn(before, wanted) },
  }
}

const policyAnnotation = 'rollcall.dev/pod-replacement-policy'

const changedIn = (before: Readonly<Record<string, unknown>> = {}, wanted: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(wanted).filter(([key, value]) => value !== (before[key] ?? null)))

/** The policy that an object has now. Only Deployments have one. */
export function policyOf(object: KubernetesObject): Policy {
  const { podReplacementPolicy, terminatingAsActive } = specOf(object)
  // Without a policy, terminatingAsActive has rollouts wait as TerminationComplete does.
  if (terminatingAsActive === true) return 'TerminationComplete+terminatingAsActive'
  const policy = String(podReplacementPolicy)
  const hasPacer = object.metadata?.annotations?.[policyAnnotation] === 'TerminationComplete'
  return isPolicy(policy) ? policy : hasPacer ? 'Pacer' : 'None'
}

/** What a cluster needs for the policy. */
export const needOf = (policy: Policy): string =>
  policy === 'None'
    ? 'any Kubernetes'
    : isPaced(policy)
      ? `any Kubernetes, with rollcall pacer${policy === 'Pacer' ? '' : ' --evictions'}`
      : 'the field podReplacementPolicy (KEP-5882), or rollcall controllers'

const candidates: Readonly<Record<'maxSurge' | 'maxUnavailable', readonly string[]>> = {
  maxSurge: ['0', '1', '10%', '25%', '30%', '50%', '100%'],
  maxUnavailable: ['0', '1', '10%', '20%', '25%', '50%'],
}

/** The values that a search tries. Of values that come to the same number of pods, the current one is tried, or the first. */
export function searchedChoices(replicas: number, currentOf: (setting: string) => string): Choice[] {
  return (['maxSurge', 'maxUnavailable'] as const).map((setting) => {
    const seen = new Set<number>()
    const current = [currentOf(setting)].filter(intOrPercent)
    const values = [...current, ...candidates[setting]].filter((value) => {
      const pods = scaledValue(number(value), replicas, setting === 'maxSurge') ?? 0
      return !seen.has(pods) && seen.add(pods) !== undefined
    })
    return { setting, values }
  })
}
