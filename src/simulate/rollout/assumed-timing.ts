// How long pods are taken to start and stop where neither a flag nor an annotation says it, in words. Pure.
import { getOrAdd } from '../../base/maps.ts'
import type { PlannedObject, PlannedTiming } from './plan.ts'
import { asksNetwork, defaultStartup, isStopSet, templateOf, timingOf } from './prepare.ts'
import { assumedStops } from './stop-times.ts'
import { isWorkload } from './workload-kinds.ts'

interface Given {
  readonly startup: boolean
  readonly stop: boolean
}

/** A sentence that holds for some workloads only names them. */
export function assumedTiming(
  objects: readonly PlannedObject[],
  all: Given,
  timings: Readonly<Record<string, PlannedTiming>> = {},
): string[] {
  const workloads = objects.filter((one) => isWorkload(one) && templateOf(one.object) !== undefined)
  const names = new Map<string, string[]>()
  for (const { object } of workloads)
    for (const sentence of sentencesOf(object, withOwn(all, timingOf(object, {}, timings))))
      getOrAdd(names, sentence, () => []).push(object.metadata?.name ?? '')
  return [...names].map(([sentence, own]) =>
    own.length === workloads.length ? sentence.replace('OF', '') : sentence.replace('OF', ` of ${own.join(', ')}`),
  )
}

const withOwn = ({ startup, stop }: Given, own: PlannedTiming): Given => ({
  startup: startup || own.startup !== undefined,
  stop: stop || own.stop !== undefined,
})

function sentencesOf(object: PlannedObject['object'], given: Given): string[] {
  const template = templateOf(object)!
  const annotations = Object.keys(template.metadata?.annotations ?? {})
  const isSet = (setting: string) => annotations.some((name) => name.startsWith(`rollcall.dev/${setting}`))
  const { terminationGracePeriodSeconds: grace = 30, containers = [], initContainers = [] } = template.spec ?? {}
  const endsByItself = object.kind === 'Job' || object.kind === 'CronJob'
  const sentences: string[] = []
  if (!given.startup && !endsByItself && !isSet('ready-delay') && !isSet('start-delay')) {
    const before = initContainers.length > 0 ? 'after their init containers ' : ''
    const isProbed = containers.some((one) => one['readinessProbe'] !== undefined || one['startupProbe'] !== undefined)
    sentences.push(
      isProbed
        ? `containersOF take ${before}${defaultStartup} to start, and pods are ready when their probes then succeed (--startup)`
        : `podsOF are ready ${before === '' ? 'after' : `${before}and`} ${defaultStartup} (--startup)`,
    )
  }
  const asking = initContainers.filter((one) => asksNetwork(one) && !isSet('run-for') && !isSet('exit-code'))
  if (asking.length > 0 && !given.startup)
    sentences.push(`init containers ${asking.map(({ name }) => name).join(', ')} find the servers that they wait for`)
  if (given.stop) return sentences
  const isAnnotated = isSet('stop-delay')
  for (const { container, delay, reason, hook } of assumedStops(template.spec ?? {})) {
    const { name } = container
    if (reason === 'opaque') {
      if (isStopSet(container, template.metadata?.annotations)) continue
      sentences.push(
        `what the preStop hook of container ${name}OF does (${hook}) is not known: the container is assumed to stop within ${delay}, a share of its grace period of ${grace}s (--stop, or rollcall record)`,
      )
    } else if (!isAnnotated)
      sentences.push(
        reason === 'after hook'
          ? `podsOF stop ${delay} after their preStop hook (--stop)`
          : `podsOF stop within ${delay}, a third of their grace period of ${grace}s (--stop)`,
      )
  }
  return sentences
}
