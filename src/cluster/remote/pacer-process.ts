// `rollcall pacer` as a process: the pacer while it leads, with warm caches while it stands by.
import { deployments, jobs, pods, replicaSets } from '../../api/kinds.ts'
import { wrapWrites } from '../../client/wrap-writes.ts'
import { type Pacer, startPacer } from '../../controllers/pacer/pacer.ts'
import { createEventRecorder } from '../../runtime/event-recorder.ts'
import { QueueMetrics } from '../../runtime/queue-metrics.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import { type ElectedProcess, type ElectedProcessOptions, startElectedProcess } from './elected-process.ts'
import { NotLeadingError } from './not-leading-error.ts'

export function startPacerProcess(options: ElectedProcessOptions): Promise<ElectedProcess> {
  return startElectedProcess(options, async ({ client, clock, random, mayWrite, onFailure }) => {
    const informers = new SharedInformers({ client, clock, random, onFailure })
    // Asked for before they start, so that the caches of a standby are warm.
    for (const kind of [deployments, replicaSets, jobs, pods]) informers.get(kind as never)
    informers.start()
    const queues = new QueueMetrics(clock)
    const report = (what: string, error: unknown) => {
      if (!(error instanceof NotLeadingError)) onFailure(what, error)
    }
    const guarded = wrapWrites(client, (send) => (mayWrite() ? send() : Promise.reject(new NotLeadingError())))
    const recorder = createEventRecorder({ client: guarded, clock, component: 'rollcall-pacer', onFailure: report })
    let pacer: Pacer | undefined
    return {
      synced: informers.synced,
      get hasSynced() {
        return informers.hasSynced
      },
      start() {
        pacer = startPacer({ client: guarded, clock, informers, queues, recorder, onFailure: report })
      },
      async stop() {
        informers.stop()
        await pacer?.stop()
      },
      metrics: () => queues.text() + waitMetrics(pacer, clock.now()),
    }
  })
}

/** Pods that wait, by workload, and how long the longest has waited. */
function waitMetrics(pacer: Pacer | undefined, nowMs: number): string {
  let waiting =
    '# HELP rollcall_pacer_waiting_pods Pods whose scheduling gate the pacer has not removed yet.\n# TYPE rollcall_pacer_waiting_pods gauge\n'
  let seconds =
    '# HELP rollcall_pacer_wait_seconds How long the longest waiting pod has waited.\n# TYPE rollcall_pacer_wait_seconds gauge\n'
  for (const [workload, pacing] of pacer?.waits ?? []) {
    const [kind = '', key = ''] = workload.split(' ')
    const [namespace = '', name = ''] = key.split('/')
    const labels = `{kind="${kind}",namespace="${namespace}",name="${name}"}`
    const oldest = Math.min(...pacing.waiting.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '') || nowMs))
    waiting += `rollcall_pacer_waiting_pods${labels} ${pacing.waiting.length}\n`
    seconds += `rollcall_pacer_wait_seconds${labels} ${Math.max(0, (nowMs - oldest) / 1000)}\n`
  }
  return waiting + seconds
}
