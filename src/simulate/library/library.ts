// `rollcall`: what programs import.

import type { KubernetesObject } from '../../api/types.ts'
import { formatTime, realClock } from '../../base/clock.ts'
import { defined } from '../../base/defined.ts'
import { rollcallVersion } from '../../cluster/version.ts'
import { InputError } from '../rollout/input-error.ts'
import { makePlan } from '../rollout/make-plan.ts'
import type { Source } from '../rollout/manifests.ts'
import { simulate as simulatePlan } from '../rollout/simulate.ts'
import type { SimulateOptions, SimulationResult } from './simulate-api.ts'
import { checkSimulateOptions } from './simulate-options.ts'

export { renderReport } from '../report/render-report.ts'
export type * from './simulate-api.ts'
export { startServer } from './test-server.ts'

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value

/** Rejects with an InputError where the input is wrong. An expectation that is not met does not reject. */
export async function simulate(options: SimulateOptions): Promise<SimulationResult> {
  checkSimulateOptions(options)
  const { manifests, files = [], policies, price, load, capacity, strict, workers, onProgress } = options
  const { nodes, autoscale, startup, stop, timing, seed, runs, within } = options
  if (manifests === undefined && files.length === 0)
    throw new InputError('Cannot simulate: there is nothing to simulate. Give manifests or files.')
  const plan = await makePlan({
    given: manifests === undefined ? undefined : [sourceOf(manifests)],
    files,
    to: listOf(options.to),
    scale: listOf(options.scale),
    ...(price !== undefined && { prices: listOf(price) }),
    ...(load !== undefined && { load: listOf(load) }),
    ...(capacity !== undefined && { capacity: listOf(capacity) }),
    ...defined({ policies: policies?.join(','), nodes, autoscale, startup, stop, timing, seed, runs, within, isStrict: strict }),
    faults: listOf(options.fault),
    expect: listOf(options.expect),
    command: "simulate() of the package 'rollcall'",
  })
  return simulatePlan(plan, {
    origin: { version: rollcallVersion, createdAt: formatTime(realClock.now()) },
    ...defined({ workers, onProgress }),
  })
}

function sourceOf(manifests: NonNullable<SimulateOptions['manifests']>): Source {
  const name = 'manifests'
  if (typeof manifests === 'string') return { name, text: manifests }
  // JSON is YAML: a scenario is read as if it came from a file.
  if (!Array.isArray(manifests) && !('kind' in manifests || 'apiVersion' in manifests))
    return { name, text: JSON.stringify(manifests, null, 2) }
  const objects = Array.isArray(manifests) ? manifests : [manifests]
  // Without values that JSON does not have, such as undefined.
  return { name, objects: objects.map((object) => JSON.parse(JSON.stringify(object)) as KubernetesObject) }
}
