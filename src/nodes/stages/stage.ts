// KWOK's Stage (kwok.x-k8s.io/v1alpha1): when it applies to an object, its delay, and its steps.
// Ours: Stages belong to KWOK, another program.
import type { KubernetesObject } from '../../api/types.ts'
import { parseTime } from '../../base/clock.ts'
import { readSecondsOrDurationMs } from '../../base/duration.ts'
import type { Random } from '../../base/random.ts'
import { WorkBudget } from '../work-budget.ts'
import { compileQuery, formatValue, runQuery } from './query.ts'
import { parseTemplate } from './template.ts'

/** `expressionFrom: query`, or `jq: { expression: query }`. */
interface ExpressionFrom {
  readonly expressionFrom?: string
  readonly jq?: { readonly expression?: string }
  readonly cel?: unknown
}

interface StageMatch {
  readonly key?: string
  readonly operator?: string
  readonly values?: readonly string[]
  readonly jq?: { readonly key?: string; readonly operator?: string; readonly values?: readonly string[] }
  readonly cel?: unknown
}

export interface StageFinalizers {
  readonly add?: readonly { readonly value?: string }[]
  readonly remove?: readonly { readonly value?: string }[]
  readonly empty?: boolean
}

interface StagePatch {
  readonly subresource?: string
  readonly root?: string
  readonly template?: string
  readonly type?: 'json' | 'merge' | 'strategic'
}

export interface StageEvent {
  readonly type?: string
  readonly reason?: string
  readonly message?: string
}

interface StageStep {
  readonly event?: StageEvent
  readonly finalizers?: StageFinalizers
  readonly delete?: boolean
  readonly patch?: StagePatch
}

export interface Stage extends KubernetesObject {
  readonly spec: {
    readonly resourceRef: { readonly apiGroup?: string; readonly kind: string }
    readonly selector?: {
      readonly matchLabels?: Readonly<Record<string, string>>
      readonly matchAnnotations?: Readonly<Record<string, string>>
      readonly matchExpressions?: readonly StageMatch[]
    }
    readonly weight?: number
    readonly weightFrom?: ExpressionFrom
    readonly delay?: {
      readonly durationMilliseconds?: number
      readonly durationFrom?: ExpressionFrom
      readonly jitterDurationMilliseconds?: number
      readonly jitterDurationFrom?: ExpressionFrom
    }
    readonly next?: StageStep & {
      readonly patches?: readonly StagePatch[]
      readonly statusTemplate?: string
      readonly statusSubresource?: string
    }
    readonly steps?: readonly StageStep[]
    readonly immediateNextStage?: boolean
  }
}

/** Why the stage cannot be played. Undefined: it can. */
export function stageProblem(stage: Stage): string | undefined {
  const { name = '' } = stage.metadata ?? {}
  const wrong = (what: string) => `Cannot play Stage ${JSON.stringify(name)}: ${what}`
  const { spec } = stage
  if (!spec?.resourceRef?.kind) return wrong('spec.resourceRef.kind is missing')
  if (spec.next === undefined && spec.steps === undefined) return wrong('it does nothing: spec.next is missing')
  const { weight, delay } = spec
  for (const [field, value] of Object.entries({
    'spec.weight': weight,
    'spec.delay.durationMilliseconds': delay?.durationMilliseconds,
    'spec.delay.jitterDurationMilliseconds': delay?.jitterDurationMilliseconds,
  }))
    if (value !== undefined && value !== null && !(Number.isInteger(value) && value >= 0))
      return wrong(`${field} must be a whole number from 0 on, not ${JSON.stringify(value)}`)
  try {
    for (const { key, operator, cel } of (spec.selector?.matchExpressions ?? []).map(matchOf)) {
      if (cel !== undefined) return wrong('CEL expressions are not supported, use jq')
      if (!operators.has(operator)) return wrong(`operator ${JSON.stringify(operator)} is not supported`)
      compileQuery(key)
    }
    for (const from of [spec.weightFrom, spec.delay?.durationFrom, spec.delay?.jitterDurationFrom]) {
      if (from?.cel !== undefined) return wrong('CEL expressions are not supported, use jq')
      const query = queryOf(from)
      if (query !== undefined) compileQuery(query)
    }
    for (const { patch } of stepsOf(stage)) if (patch?.template !== undefined) parseTemplate(patch.template)
  } catch (error) {
    return wrong((error as Error).message)
  }
  return undefined
}

const operators = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist'])
const matchOf = ({ jq, cel, ...old }: StageMatch) => ({
  key: jq?.key ?? old.key ?? '',
  operator: jq?.operator ?? old.operator ?? '',
  values: jq?.values ?? old.values ?? [],
  cel,
})
const queryOf = (from: ExpressionFrom | undefined) => from?.jq?.expression ?? from?.expressionFrom

/** The steps of the stage, in order. `next` is the older form of `steps`. */
export function stepsOf({ spec: { next, steps } }: Stage): StageStep[] {
  if (steps !== undefined) return [...steps]
  if (next === undefined) return []
  const { event, finalizers, delete: removes, patches = [], statusTemplate, statusSubresource } = next
  return [
    ...(event ? [{ event }] : []),
    ...(finalizers ? [{ finalizers }] : []),
    ...(removes ? [{ delete: true }] : []),
    ...(statusTemplate ? [{ patch: { subresource: statusSubresource ?? 'status', root: 'status', template: statusTemplate } }] : []),
    ...patches.map((patch) => ({ patch })),
  ]
}

interface PlannedStage {
  readonly stage: Stage
  readonly delayMs: number
}

/** The next stage of the object, and its delay. Throws if a query fails. */
export function nextStage(
  stages: readonly Stage[],
  object: KubernetesObject,
  nowMs: number,
  random: Random,
  work = new WorkBudget(),
): PlannedStage | undefined {
  const matching = stages.filter((stage) => isMatching(stage, object, work))
  const stage = chooseByWeight(matching, object, random, work)
  return stage === undefined ? undefined : { stage, delayMs: delayOf(stage, object, nowMs, random, work) }
}

export function isMatching({ spec: { selector } }: Stage, object: KubernetesObject, work = new WorkBudget()): boolean {
  work.spend(1)
  if (selector === undefined) return false
  const { labels = {}, annotations = {} } = object.metadata ?? {}
  const holds = (wanted: Readonly<Record<string, string>> | undefined, found: Readonly<Record<string, string>>) =>
    Object.entries(wanted ?? {}).every(([key, value]) => Object.hasOwn(found, key) && found[key] === value)
  if (!holds(selector.matchLabels, labels) || !holds(selector.matchAnnotations, annotations)) return false
  return (selector.matchExpressions ?? []).every((match) => {
    const { key, operator, values } = matchOf(match)
    const found = runQuery(key, object, work)
    switch (operator) {
      case 'In':
        return isAmong(found, values, work)
      case 'NotIn':
        return !isAmong(found, values, work)
      case 'Exists':
        return (found?.length ?? 0) > 0
      default:
        return (found?.length ?? 0) === 0
    }
  })
}

function isAmong(found: readonly unknown[] | undefined, values: readonly string[], work: WorkBudget): boolean {
  return found?.some((one) => values.includes(formatValue(one, work))) ?? false
}

/** Chooses at random by weight; with a total weight of zero, with equal probability. */
function chooseByWeight(stages: readonly Stage[], object: KubernetesObject, random: Random, work: WorkBudget): Stage | undefined {
  if (stages.length <= 1) return stages[0]
  const weights = stages.map((stage) => Math.max(0, weightOf(stage, object, work)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return stages[Math.floor(random.next() * stages.length)]
  let left = random.next() * total
  for (const [index, weight] of weights.entries()) {
    if (weight > 0 && left < weight) return stages[index]
    left -= weight
  }
  return stages.at(-1)
}

function weightOf({ spec: { weight: fallback, weightFrom } }: Stage, object: KubernetesObject, work: WorkBudget): number {
  const weight = fallback ?? 0
  const query = queryOf(weightFrom)
  const found = query === undefined ? undefined : runQuery(query, object, work)?.[0]
  const value = found === undefined || typeof found === 'object' ? weight : Number(found)
  return Number.isFinite(value) ? value : weight
}

/** Uniformly distributed between the duration and the jitter duration. A jitter duration that is shorter replaces the duration. */
export function delayOf(
  { spec: { delay } }: Stage,
  object: KubernetesObject,
  nowMs: number,
  random: Random,
  work = new WorkBudget(),
): number {
  if (delay === undefined) return 0
  const duration = durationOf(delay.durationMilliseconds ?? 0, delay.durationFrom, object, nowMs, work)
  if (duration === undefined) return 0
  const jitter = durationOf(delay.jitterDurationMilliseconds ?? undefined, delay.jitterDurationFrom, object, nowMs, work)
  if (jitter === undefined) return Math.max(0, duration)
  if (jitter <= duration) return Math.max(0, jitter)
  return Math.max(0, Math.floor(duration + random.next() * (jitter - duration)))
}

/** The value of the query, a duration or a time in the future, or else the fallback. */
function durationOf(
  fallback: number | undefined,
  from: ExpressionFrom | undefined,
  object: KubernetesObject,
  nowMs: number,
  work: WorkBudget,
): number | undefined {
  const query = queryOf(from)
  const found = query === undefined ? undefined : runQuery(query, object, work)?.[0]
  if (typeof found !== 'string') return fallback
  if (found === '') return undefined
  const moment = /^\d{4}-\d\d-\d\dT/.test(found) ? parseTime(found) : Number.NaN
  return Number.isNaN(moment) ? (readSecondsOrDurationMs(found) ?? fallback) : moment - nowMs
}
