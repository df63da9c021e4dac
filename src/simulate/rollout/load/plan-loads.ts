// From `--load`, `--capacity` and the autoscalers of the manifests to the loads of a plan. Pure but for `readText`.

import { type Fail, scaleTarget } from '../arguments.ts'
import { type PlannedObject, type PlannedStep, type Target, targetOf } from '../plan.ts'
import { autoscalerOf, isAutoscaler, type LoadedObjects, loadedAutoscaler, sizeByAutoscalers } from './autoscalers.ts'
import type { PlannedLoad } from './load.ts'
import { loadPoints, readCapacity, readLoadFile, readLoadText } from './read-load.ts'

interface LoadRequest {
  /** `100rps, 400rps@2m..10m`, or the path of a CSV file; `web=…` with several workloads. */
  readonly load: readonly string[]
  readonly capacity: readonly string[]
  readText(path: string): string
}

interface LoadPlan {
  readonly objects: readonly PlannedObject[]
  readonly steps: readonly PlannedStep[]
  readonly loads: readonly PlannedLoad[]
  /** The workloads whose size an autoscaler decides. */
  readonly autoscaled: readonly Target[]
  readonly notes: readonly string[]
  readonly ignored: readonly string[]
}

const named = /^\s*((?:[a-z]+\/(?:[-a-z0-9]+\/)?)?[a-z0-9][-a-z0-9.]*)=(.+)$/is

export function planLoads(
  request: LoadRequest,
  objects: readonly PlannedObject[],
  steps: readonly PlannedStep[],
  failAt: (flag: string) => Fail,
): LoadPlan {
  const { objects: sized, notes: sizes } = sizeByAutoscalers(objects)
  const notes = [...sizes]
  const all = [...sized, ...steps.flatMap(({ action }) => (action.type === 'apply' ? action.objects : []))]
  const readTarget = (name: string | undefined, load: string, fail: Fail) => {
    const scaled = sized.filter(({ object }) => autoscalerOf(all, targetOf(object)) !== undefined)
    return scaleTarget(name, name === undefined && scaled.length > 0 ? scaled : sized, fail, (target) => `${target}=${load}`)
  }
  const capacities = request.capacity.map((text) => {
    const [, name, rest = text] = named.exec(text) ?? []
    return { name, value: readCapacity(rest, failAt('--capacity')) }
  })
  const twice = capacities.find((one, index) => capacities.findIndex(({ name }) => name === one.name) < index)
  if (twice !== undefined) failAt('--capacity')(`${twice.name ?? 'it'} is given twice. Give one value for each workload`)
  const replaced = new Map<PlannedObject, PlannedObject>()
  const loaded = new Set<string>()
  const loads = request.load.map((text): PlannedLoad => {
    const fail = failAt('--load')
    const [, name, rest = text] = named.exec(text) ?? []
    const target = readTarget(name, rest, fail)
    const key = `${target.kind}/${target.namespace}/${target.name}`
    if (loaded.has(key)) fail(`${target.name} has two loads. Give one, with times: '100rps, 400rps@2m..10m'`)
    loaded.add(key)
    const given = /\.(csv|tsv|txt)$/i.test(rest.trim()) ? readLoadFile(request.readText(rest.trim()), fail) : readLoadText(rest, fail)
    const capacity = capacities.find((one) => one.name === undefined || one.name === name || one.name === target.name)?.value
    const workload = sized.find(({ object }) => isSame(targetOf(object), target))
    const { replicas = 1 } = (workload?.object as { readonly spec?: { readonly replicas?: number } } | undefined)?.spec ?? {}
    const scaler = autoscalerOf(all, target)
    const driven: LoadedObjects = workload === undefined ? { notes: [] } : loadedAutoscaler(scaler, workload, given.unit)
    if (scaler !== undefined && driven.object !== undefined) replaced.set(scaler, driven.object)
    notes.push(...driven.notes)
    return {
      target,
      points: loadPoints(given, capacity, replicas, fail),
      ...(given.unit === 'rps' && capacity !== undefined && { capacity }),
      ...(driven.autoscaler !== undefined && { autoscaler: driven.autoscaler }),
    }
  })
  const ignored = new Set<string>()
  /** An autoscaler without a load would see idle pods. */
  const kept = (list: readonly PlannedObject[]) =>
    list.flatMap((one) => {
      if (!isAutoscaler(one)) return [one]
      const found = replaced.get(one)
      if (found !== undefined) return [found]
      ignored.add(`HorizontalPodAutoscaler/${one.object.metadata?.name ?? ''} (the size stays as it is: --load)`)
      return []
    })
  return {
    objects: kept(sized),
    steps: steps.map((step) =>
      step.action.type === 'apply' ? { ...step, action: { ...step.action, objects: kept(step.action.objects) } } : step,
    ),
    loads,
    autoscaled: all.map(({ object }) => targetOf(object)).filter((target) => autoscalerOf(all, target) !== undefined),
    notes,
    ignored: [...ignored],
  }
}

const isSame = (a: Target, b: Target) => a.kind === b.kind && a.namespace === b.namespace && a.name === b.name
