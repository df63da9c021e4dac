// `rollcall pacer` as a process: the pacer while it leads, with warm caches while it stands by.
import { deployments, jobs, pods, replicaSets } from '../../api/kinds.ts'
import { wrapWrites } from '../../client/wrap-writes.ts'
import { OptIns } from '../../controllers/pacer/opt-ins.ts'
import { type Pacer, startPacer } from '../../controllers/pacer/pacer.ts'
import { createEventRecorder } from '../../runtime/event-recorder.ts'
import { QueueMetrics } from '../../runtime/queue-metrics.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import { type ElectedProcess, type ElectedProcessOptions, startElectedProcess } from './elected-process.ts'
import { NotLeadingError } from './not-leading-error.ts'
import { type OptInList, startOptInList } from './pacer-opt-in-list.ts'
import { startPacerWebhook } from './pacer-webhook.ts'
import { keepWebhookCertificates } from './webhook-certificates.ts'

/** How new pods of workloads and namespaces that opted in get the gate. */
export type PacerAdmission =
  /** By a MutatingAdmissionPolicy, which reads the ConfigMap `name`. */
  | { readonly by: 'policy'; readonly name: string }
  /** By a webhook that is served here, under the MutatingWebhookConfiguration `name`. `hosts` are in its certificate. */
  | { readonly by: 'webhook'; readonly name: string; readonly hosts?: readonly string[]; readonly host: string; readonly port: number }
  /** By their pod templates only. */
  | { readonly by: 'none' }

export function startPacerProcess(options: ElectedProcessOptions, admission: PacerAdmission): Promise<ElectedProcess> {
  return startElectedProcess(options, async ({ client, clock, random, mayWrite, onFailure }) => {
    const informers = new SharedInformers({ client, clock, random, onFailure })
    // Asked for before they start, so that the caches of a standby are warm.
    for (const kind of [deployments, replicaSets, jobs, pods]) informers.get(kind as never)
    const optIns = new OptIns(informers)
    informers.start()
    const queues = new QueueMetrics(clock)
    const report = (what: string, error: unknown) => {
      if (!(error instanceof NotLeadingError)) onFailure(what, error)
    }
    const guarded = wrapWrites(client, (send) => (mayWrite() ? send() : Promise.reject(new NotLeadingError())))
    const recorder = createEventRecorder({ client: guarded, clock, component: 'rollcall-pacer', onFailure: report })
    const { namespace } = options
    const webhook = admission.by === 'webhook' ? await startPacerWebhook({ ...admission, optIns }) : undefined
    const certificates =
      webhook === undefined || admission.by !== 'webhook'
        ? undefined
        : keepWebhookCertificates({
            client: guarded,
            clock,
            namespace,
            name: admission.name,
            hosts: admission.hosts ?? [`${admission.name}.${namespace}.svc`],
            mayWrite,
            onCertificates: (found) => webhook.useCertificates(found),
            onFailure: report,
          })
    let pacer: Pacer | undefined
    let list: OptInList | undefined
    return {
      synced: informers.synced,
      get hasSynced() {
        return informers.hasSynced
      },
      start() {
        pacer = startPacer({ client: guarded, clock, informers, queues, recorder, onFailure: report })
        if (admission.by === 'policy')
          list = startOptInList({ client: guarded, clock, optIns, namespace, name: admission.name, onFailure: report })
        certificates?.check()
      },
      async stop() {
        informers.stop()
        await Promise.all([pacer?.stop(), list?.stop(), certificates?.stop(), webhook?.stop()])
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
