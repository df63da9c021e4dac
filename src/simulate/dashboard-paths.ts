// Paths of the dashboard besides the Kubernetes API: saving a report, and simulating a change.

import { comparedValue, isIncomplete, measureRows, nameOf } from './report/measure-rows.ts'
import { renderReport } from './report/render-report.ts'
import { makePlan } from './rollout/make-plan.ts'
import type { Mark, Outcome, Series, SimulationResult } from './rollout/result.ts'
import { simulate } from './rollout/simulate.ts'

export const reportPath = '/rollcall/v1/report'
export const simulatePath = '/rollcall/v1/simulate'

type Fields = Readonly<Record<string, unknown>>

/** Undefined for other paths. Throws an InputError for a request that cannot be answered. */
export async function answerDashboard(
  request: { readonly method: string; readonly path: string; readonly body: unknown },
  origin: { readonly version: string; readonly createdAt: string },
): Promise<object | undefined> {
  if (request.method !== 'POST') return undefined
  if (request.path === reportPath) return { html: renderReport({ ...observedResult(request.body as ObservedRollout), ...origin }) }
  if (request.path === simulatePath) return compare(request.body as SimulationRequest, origin)
  return undefined
}

export interface ObservedRollout {
  readonly title: string
  readonly kind: string
  readonly series: Series
  readonly marks: readonly Mark[]
}

/** A rollout as the page has seen it. Measures that need more than the counts are absent. */
export function observedResult({ title, kind, series, marks }: ObservedRollout): SimulationResult {
  const { times, layers, cap, nodes, desired, available } = series
  const total = times.map((_, index) => layers.reduce((sum, { values }) => sum + values[index]!, 0))
  const area = (values: readonly number[]) =>
    times.reduce((sum, atMs, index) => sum + (index + 1 < times.length ? values[index]! * (times[index + 1]! - atMs) : 0), 0)
  const newest = Math.max(0, ...layers.map(({ revision }) => revision))
  const ofNewest = layers.filter(({ revision, state }) => revision === newest && state === 'ready')
  const isDone = times.map((_, index) => {
    const ready = ofNewest.reduce((sum, { values }) => sum + values[index]!, 0)
    return ready === desired[index] && total[index] === ready
  })
  // Complete from here to the end; absent where the last moment is not.
  const doneFrom = isDone.lastIndexOf(false) + 1
  const completeAfterMs = doneFrom < times.length ? times[doneFrom] : undefined
  const shares = times.flatMap((_, index) => (desired[index]! > 0 ? [Math.min(1, available[index]! / desired[index]!)] : []))
  return {
    format: 'rollcall.simulation/1',
    title,
    command: 'rollcall dashboard',
    sources: [],
    seed: 0,
    runs: 1,
    outcomes: [
      {
        policy: 'None',
        label: 'observed',
        kinds: [kind],
        measures: {
          peakPods: Math.max(0, ...total),
          cap: Math.max(0, ...cap),
          peakOverCap: Math.max(0, ...total.map((pods, index) => pods - cap[index]!)),
          ...(completeAfterMs !== undefined && { completeAfterMs, oldGoneAfterMs: completeAfterMs, availableAfterMs: completeAfterMs }),
          ...(shares.length > 0 && { lowestAvailability: Math.min(...shares) }),
          podSeconds: area(total) / 1000,
          peakNodes: Math.max(0, ...nodes),
          nodeMinutes: area(nodes) / 60_000,
          waitedForRoom: 0,
          matchedNoNode: 0,
          deadlinesPassed: 0,
        },
        series,
        marks,
        failures: [],
      },
    ],
  }
}

export interface SimulationRequest {
  readonly manifest: Fields
  /** Fields of the form; empty ones stay as they are. */
  readonly change: Readonly<Record<string, string>>
}

async function compare(
  { manifest, change }: SimulationRequest,
  origin: { readonly version: string; readonly createdAt: string },
): Promise<object> {
  const spec = (manifest['spec'] ?? {}) as Fields
  const name = String((manifest['metadata'] as Fields | undefined)?.['name'] ?? '')
  const given = (key: string) => (change[key]?.trim() ? change[key].trim() : undefined)
  const [image, replicas, startup, stop] = [given('image'), given('replicas'), given('startup'), given('stop')]
  const isScaled = replicas !== undefined && manifest['kind'] !== 'DaemonSet' && Number(replicas) !== (spec['replicas'] ?? 1)
  const plan = await makePlan({
    given: [
      { name: `${name}.json`, text: JSON.stringify({ ...manifest, spec: withLimits(spec, given('maxSurge'), given('maxUnavailable')) }) },
    ],
    files: [],
    to: image === undefined ? [] : [`image=${image}`],
    scale: isScaled ? [replicas] : [],
    ...(startup !== undefined && { startup }),
    ...(stop !== undefined && { stop }),
    faults: [],
    expect: [],
    command: `rollcall simulate -f ${name}.json`,
  })
  const result = await simulate(plan, { origin })
  const { outcomes } = result
  return {
    rows: measureRows.map((row) => ({
      name: row.label,
      values: outcomes.map((outcome) => {
        const value = comparedValue(outcome, row.key)
        return value === undefined ? (isIncomplete(outcome) ? 'never' : '–') : row.format(value)
      }),
    })),
    outcomes: outcomes.map((outcome: Outcome) => ({ name: nameOf(outcome), series: outcome.series, stuck: outcome.stuck ?? [] })),
    advice: result.advice ?? '',
    assumptions: result.assumptions ?? [],
  }
}

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
