// Paths of the dashboard besides the Kubernetes API: saving a report, simulating a change, comparing a rollout with its simulation, and
// explaining a workload.
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import { defined } from '../../base/defined.ts'
import { explain, explainedKinds } from '../../cluster/explain/explain.ts'
import type { Surroundings } from '../../cluster/explain/explanation.ts'
import { bestOutcomes, comparedValue, isIncomplete, measureRows, nameOf } from '../report/measure-rows.ts'
import { renderReport } from '../report/render-report.ts'
import { InputError } from '../rollout/input-error.ts'
import { makePlan } from '../rollout/make-plan.ts'
import { comparedPolicies, type Origin, type Outcome } from '../rollout/result.ts'
import { simulate } from '../rollout/simulate.ts'
import { type ComparisonRequest, compareWithSimulation } from './compared-rollout.ts'
import { type ObservedRollout, observedResult } from './observed-rollout.ts'

const reportPath = '/rollcall/v1/report'
const simulatePath = '/rollcall/v1/simulate'
const comparePath = '/rollcall/v1/compare'
const explainPath = '/rollcall/v1/explain'

type Fields = Readonly<Record<string, unknown>>

/** Undefined for other paths. Throws an InputError for a request that cannot be answered. */
export async function answerDashboard(
  request: { readonly method: string; readonly path: string; readonly body: unknown },
  origin: Origin,
): Promise<object | undefined> {
  if (request.method !== 'POST' || !Object.hasOwn(requiredFields, request.path)) return undefined
  const missing = requiredFields[request.path]!.find((field) => !isObject(isObject(request.body) ? request.body[field] : undefined))
  if (missing !== undefined) throw new InputError(`the request has no object ${missing}`)
  try {
    return await answerPath(request, origin)
  } catch (error) {
    // What is inside of these objects is read where it is used: a value of another type is a fault of the request.
    throw error instanceof TypeError || error instanceof RangeError ? new InputError(`cannot read the request: ${error.message}`) : error
  }
}

const requiredFields: Readonly<Record<string, readonly string[]>> = {
  [reportPath]: ['series'],
  [simulatePath]: ['manifest', 'change'],
  [comparePath]: ['after', 'observed'],
  [explainPath]: ['object', 'surroundings'],
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

async function answerPath(request: { readonly path: string; readonly body: unknown }, origin: Origin): Promise<object | undefined> {
  if (request.path === reportPath) return { html: renderReport({ ...observedResult(request.body as ObservedRollout), ...origin }) }
  if (request.path === simulatePath) return simulateChange(request.body as SimulationRequest, origin)
  if (request.path === comparePath) return compareWithSimulation(request.body as ComparisonRequest, origin)
  if (request.path === explainPath) return explainWorkload(request.body as ExplanationRequest)
  return undefined
}

interface ExplanationRequest {
  readonly kind: string
  readonly object: Stored<KubernetesObject>
  /** The time of the cluster. */
  readonly nowMs: number
  /** What the page may read of the lists; the others are empty. */
  readonly surroundings: Partial<Surroundings>
}

function explainWorkload({ kind, object, nowMs, surroundings }: ExplanationRequest): object {
  if (!Number.isFinite(nowMs)) throw new InputError('the request has no number nowMs')
  const none = { pods: [], replicaSets: [], revisions: [], claims: [], budgets: [], nodes: [], warnings: [] }
  const found = explain(kind, object, { ...none, ...surroundings, gates: defaultFeatureGates, nowMs })
  if (found === undefined) throw new InputError(`cannot explain a ${kind}: the kinds are ${explainedKinds.join(', ')}`)
  return found
}

interface SimulationRequest {
  readonly manifest: Fields
  /** Fields of the form; empty ones stay as they are. */
  readonly change: Readonly<Record<string, string>>
}

async function simulateChange({ manifest, change }: SimulationRequest, origin: Origin): Promise<object> {
  const spec = (manifest['spec'] ?? {}) as Fields
  const name = String((manifest['metadata'] as Fields | undefined)?.['name'] ?? '')
  const given = (key: string) => (change[key]?.trim() ? change[key].trim() : undefined)
  const [image, replicas, startup, stop] = [given('image'), given('replicas'), given('startup'), given('stop')]
  const isScaled = replicas !== undefined && manifest['kind'] !== 'DaemonSet' && Number(replicas) !== (spec['replicas'] ?? 1)
  const policies = manifest['kind'] === 'Deployment' ? policiesOf(given('policy'), given('pacer') !== undefined) : undefined
  const plan = await makePlan({
    given: [
      {
        name: `${name}.json`,
        objects: [{ ...manifest, spec: withLimits(spec, given('maxSurge'), given('maxUnavailable')) } as KubernetesObject],
      },
    ],
    files: [],
    to: image === undefined ? [] : [`${given('container') ?? 'image'}=${image}`],
    scale: isScaled ? [replicas] : [],
    ...defined({ policies, startup, stop }),
    faults: [],
    expect: [],
    command: `rollcall simulate -f ${name}.json`,
  })
  const result = await simulate(plan, { origin, keepsThreadFree: true })
  const { outcomes } = result
  const rows = measureRows.filter(({ key, isOptional }) => !isOptional || outcomes.some((outcome) => comparedValue(outcome, key)))
  return {
    rows: rows.map((row) => {
      const best = bestOutcomes(row, outcomes)
      return {
        name: row.label,
        values: outcomes.map((outcome) => {
          const value = comparedValue(outcome, row.key)
          return value === undefined ? (isIncomplete(outcome) ? 'never' : '–') : row.format(value)
        }),
        best: outcomes.flatMap((outcome, index) => (best.has(outcome) ? [index] : [])),
      }
    }),
    outcomes: outcomes.map((outcome: Outcome) => ({ name: nameOf(outcome), series: outcome.series, stuck: outcome.stuck ?? [] })),
    advice: result.advice ?? '',
    assumptions: result.assumptions ?? [],
  }
}

/** Those to compare, the pacer where it is asked for. A cluster with a dashboard of its own has the field. */
const policiesOf = (policy: string | undefined, hasPacer: boolean): string =>
  [...(policy === undefined ? comparedPolicies([], true).filter((one) => one !== 'Pacer') : [policy]), ...(hasPacer ? ['Pacer'] : [])].join(
    ',',
  )

function withLimits(spec: Fields, maxSurge: string | undefined, maxUnavailable: string | undefined): Fields {
  if (maxSurge === undefined && maxUnavailable === undefined) return spec
  const field = 'updateStrategy' in spec ? 'updateStrategy' : 'strategy'
  const strategy = (spec[field] ?? {}) as Fields
  const value = (text: string) => (/^[0-9]+$/.test(text) ? Number(text) : text)
  const rollingUpdate = {
    ...((strategy['rollingUpdate'] ?? {}) as Fields),
    ...(maxSurge !== undefined && { maxSurge: value(maxSurge) }),
    ...(maxUnavailable !== undefined && { maxUnavailable: value(maxUnavailable) }),
  }
  return { ...spec, [field]: { ...strategy, type: 'RollingUpdate', rollingUpdate } }
}
