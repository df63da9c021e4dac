// Runs `rollcall pacer` and its subcommands.
import { isStatusError } from '../api/machinery/status-error.ts'
import { realClock, sleep } from '../base/clock.ts'
import { createHttpClient } from '../client/http-client.ts'
import { describeEviction, type EvictedPod, readWaitingEvictions } from '../cluster/pacer/eviction-status.ts'
import { giveBackPods } from '../cluster/pacer/given-back-pods.ts'
import { type PacerAdmission, startPacerProcess } from '../cluster/pacer/pacer-process.ts'
import { readWaitingWorkloads, releaseAllPods, type WaitingWorkload } from '../cluster/pacer/pacer-status.ts'
import { readGatedTemplates, removeGateFromTemplates } from '../cluster/pacer/pacer-templates.ts'
import { findBypassedWorkloads, type OptedInWorkload } from '../cluster/remote/gate-probe.ts'
import { readPacerReadiness } from '../cluster/remote/pacer-readiness.ts'
import { formatLength } from '../simulate/rollout/lengths.ts'
import { findConnection } from './cluster-connection.ts'
import { fail } from './error-line.ts'
import { dataText } from './flag-values.ts'
import type { PacerClusterOptions, PacerOptions, PacerWaitOptions } from './pacer.ts'
import { defaultNamespace, runElected } from './run-elected.ts'

export function runPacer(options: PacerOptions): Promise<number> {
  const { admission: by, admissionName: name, webhookAddress, webhookHosts: hosts, evictions, evictionTimeout } = options
  const admission: PacerAdmission = by === 'policy' ? { by, name } : { by }
  const webhooks = { name, ...webhookAddress, ...(hosts && { hosts }) }
  const choices = { admission, webhooks, ...(evictions === true && { evictionTimeoutMs: evictionTimeout }) }
  return runElected(options, (process) => startPacerProcess(process, choices))
}

export const runPacerStatus = (options: PacerClusterOptions): Promise<number> =>
  withCluster(options, options.allNamespaces === true, async (client, namespace) => {
    const nowMs = realClock.now()
    const workloads = await readWaitingWorkloads(client, namespace, nowMs)
    const bypassed = await findBypassedWorkloads(client, namespace)
    const evictions = await readWaitingEvictions(client, namespace)
    if (options.output !== undefined) return dataText([...workloads, ...evictions, ...bypassed.map(withoutGate)], options.output)
    return `${describe(workloads, nowMs)}${evictions.map((one) => describeWait(one, nowMs)).join('')}${bypassed.map(({ kind, namespace: own, name }) => `${kind} ${own}/${name}: new pods arrive without the gate: check the admission of the pacer\n`).join('')}`
  })

const describeWait = ({ namespace, name, eviction: { pod, isReplacing, sinceMs } }: EvictedPod, nowMs: number) =>
  `Deployment ${namespace}/${name}: pod ${pod} is to be evicted, ${describeEviction(isReplacing, name)}, for ${formatLength(Math.max(0, Math.floor((nowMs - sinceMs) / 1000) * 1000))}\n`

/** An entry of the JSON. */
const withoutGate = (workload: OptedInWorkload) => ({ ...workload, newPodsHaveNoGate: true })

export const runPacerRelease = (options: PacerClusterOptions): Promise<number> =>
  withCluster(options, options.all === true, async (client, namespace) => {
    const where = namespace === undefined ? 'all namespaces' : `namespace ${namespace}`
    const templates = options.templates === true ? await removeGateFromTemplates(client, namespace) : []
    const evictions = await giveBackPods(client, namespace)
    let count = await releaseAllPods(client, namespace)
    const quietMs = options.untilQuiet
    for (let quietSinceMs = realClock.now(); quietMs !== undefined && realClock.now() - quietSinceMs < quietMs; ) {
      await sleep(realClock, Math.min(quietMs, 1000))
      const more = await releaseAllPods(client, namespace)
      if (more > 0) quietSinceMs = realClock.now()
      count += more
    }
    const changed = templates.map((name) => `Took the gate out of the pod template of ${name}.\n`).join('')
    // A user who may only change pods gets no report.
    const left = await readGatedTemplates(client, namespace).catch((error: unknown) => {
      if (isStatusError(error, 'Forbidden')) return []
      throw error
    })
    const warning =
      left.length === 0
        ? ''
        : `New pods of ${shown(left.map(({ name }) => name))} get the gate from their pod template. Take it out with --templates.\n`
    const given = evictions === 0 ? '' : `Gave ${evictions} ${evictions === 1 ? 'pod' : 'pods'} back that waited for an eviction.\n`
    return `${changed}${given}Released ${count} ${count === 1 ? 'pod' : 'pods'} in ${where}.\n${warning}`
  })

const waitPollMs = 100

class NotReadyError extends Error {}

export const runPacerWait = (options: PacerWaitOptions): Promise<number> =>
  withCluster(options, options.allNamespaces === true, async (client, namespace, ofContext) => {
    const pacer = {
      namespace: options.leaderElectResourceNamespace ?? ofContext ?? defaultNamespace,
      lease: options.leaderElectResourceName,
      policy: options.admissionName,
    }
    for (const endMs = realClock.now() + options.timeout; ; await sleep(realClock, waitPollMs)) {
      const { workloads, waitsFor } = await readPacerReadiness(client, pacer, namespace, realClock.now())
      if (waitsFor.length === 0)
        return workloads === 0
          ? 'The pacer is ready. No workload has opted in.\n'
          : `The pacer is ready: new pods of ${workloads} ${workloads === 1 ? 'workload' : 'workloads'} get the gate.\n`
      if (realClock.now() >= endMs) throw new NotReadyError(`The pacer is not ready: ${shown(waitsFor)}.`)
    }
  })

async function withCluster(
  options: PacerClusterOptions,
  isEverywhere: boolean,
  run: (client: ReturnType<typeof createHttpClient>, namespace: string | undefined, ofContext: string | undefined) => Promise<string>,
): Promise<number> {
  let connection: Awaited<ReturnType<typeof findConnection>>
  try {
    connection = await findConnection(options)
  } catch (error) {
    return fail(2, error)
  }
  const client = createHttpClient({ connection, name: 'rollcall' })
  try {
    process.stdout.write(
      await run(client, isEverywhere ? undefined : (options.namespace ?? connection.namespace ?? 'default'), connection.namespace),
    )
    return 0
  } catch (error) {
    if (error instanceof NotReadyError) return fail(1, error)
    return fail(1, new Error(`Cannot read from ${connection.server}: ${(error as Error).message}`))
  } finally {
    client.close()
  }
}

const maxNames = 3
const shown = (names: readonly string[]) =>
  `${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ` and ${names.length - maxNames} more` : ''}`

function describe(workloads: readonly WaitingWorkload[], nowMs: number): string {
  if (workloads.length === 0) return 'No pod waits.\n'
  return workloads
    .map(({ kind, namespace, name, admitted, cap, waiting, waitsFor, sinceMs }) => {
      const since = formatLength(Math.max(0, Math.floor((nowMs - sinceMs) / 1000) * 1000))
      if (cap === undefined) return `${namespace}: ${waiting.length} pods that no workload paces: ${shown(waiting)}\n`
      const head = `${kind} ${namespace}/${name}: ${waiting.length} waiting for ${since}, ${admitted} of ${cap} admitted\n  waiting  ${shown(waiting)}\n`
      const room = cap - admitted
      if (room > 0) return `${head}  there is room for ${room}: is the pacer running?\n`
      return waitsFor.length === 0 ? head : `${head}  for      ${shown(waitsFor)} (terminating)\n`
    })
    .join('')
}
