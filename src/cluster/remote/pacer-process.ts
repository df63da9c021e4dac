// `rollcall pacer` as a process: the pacer while it leads, and the webhook on every replica.
import { realClock } from '../../base/clock.ts'
import { HttpTransport } from '../../client/http-transport.ts'
import { OptIns } from '../../controllers/pacer/opt-ins.ts'
import { type Pacer, startPacer } from '../../controllers/pacer/pacer.ts'
import { createEventRecorder } from '../../runtime/event-recorder.ts'
import { QueueMetrics } from '../../runtime/queue-metrics.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import { wrapWrites } from '../wrapped-calls.ts'
import { type ElectedProcess, type ElectedProcessOptions, fieldManager, startElectedProcess } from './elected-process.ts'
import { NotLeadingError, unlessNotLeading } from './not-leading-error.ts'
import { type OptInList, startOptInList } from './pacer-opt-in-list.ts'
import { startPacerWebhook } from './pacer-webhook.ts'
import { servesPolicies } from './server-fields.ts'
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
    if (admission.by === 'policy') await warnWithoutPolicies(options)
    const openCaches = () => new SharedInformers({ client, clock, random, ownerOfObjects: 'informer', onFailure })
    // The caches of the webhook, which every replica serves.
    const served = admission.by === 'webhook' ? openCaches() : undefined
    const servedOptIns = served && new OptIns(served)
    served?.start()
    const queues = new QueueMetrics(clock)
    const report = unlessNotLeading(onFailure)
    const guarded = wrapWrites(client, (send) => (mayWrite() ? send() : Promise.reject(new NotLeadingError())))
    const recorder = createEventRecorder({ client: guarded, clock, component: 'rollcall-pacer', onFailure: report })
    const { namespace } = options
    const webhook = admission.by === 'webhook' && servedOptIns ? await startPacerWebhook({ ...admission, optIns: servedOptIns }) : undefined
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
    let informers: SharedInformers | undefined
    let list: OptInList | undefined
    let isStopped = false
    return {
      synced: served?.synced ?? Promise.resolve(),
      get hasSynced() {
        return (served?.hasSynced ?? true) && (informers?.hasSynced ?? true)
      },
      // The API server calls replicas that are ready: one without certificates would let pods through without the gate.
      get unready() {
        return certificates?.areKnown === false ? ['certificates'] : []
      },
      // The caches of the pacer are filled once it leads: those of a standby could lack pods that the leader before it has just released.
      start() {
        const own = openCaches()
        informers = own
        const optIns = new OptIns(own)
        pacer = startPacer({ client: guarded, clock, informers: own, queues, recorder, onFailure: report })
        own.start()
        if (admission.by === 'policy')
          void own.synced.then(() => {
            if (!isStopped) list = startOptInList({ client: guarded, clock, optIns, namespace, name: admission.name, onFailure: report })
          })
        certificates?.check()
      },
      async stop() {
        isStopped = true
        served?.stop()
        informers?.stop()
        await Promise.all([pacer?.stop(), list?.stop(), certificates?.stop(), webhook?.stop()])
      },
      metrics: () => queues.text() + waitMetrics(pacer, clock.now()),
    }
  })
}

async function warnWithoutPolicies({ connection, log }: ElectedProcessOptions): Promise<void> {
  const transport = new HttpTransport({ connection, clock: realClock, name: fieldManager })
  const isServed = await servesPolicies((path) => transport.send({ method: 'GET', path }))
  transport.close()
  if (isServed === false)
    log.write(
      'warn',
      'this API server has no MutatingAdmissionPolicy (v1, Kubernetes 1.36): the annotation and the label have no effect, only the gate in a pod template has; use --admission webhook',
    )
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
