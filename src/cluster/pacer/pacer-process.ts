// `rollcall pacer` as a process: the pacer while it leads, and the webhook on every replica.
import { mutatingWebhookConfigurations } from '../../api/kinds.ts'
import { realClock } from '../../base/clock.ts'
import { HttpTransport } from '../../client/http-transport.ts'
import { hasOptedIn } from '../../controllers/pacer/deployment-opt-in.ts'
import { OptIns } from '../../controllers/pacer/opt-ins.ts'
import { type Pacer, startPacer } from '../../controllers/pacer/pacer.ts'
import { describePacing, type Pacing } from '../../controllers/pacer/plan/pacing.ts'
import { createEventRecorder } from '../../runtime/event-recorder.ts'
import { QueueMetrics } from '../../runtime/queue-metrics.ts'
import { SharedInformers } from '../../runtime/shared-informers.ts'
import { type ElectedProcess, type ElectedProcessOptions, fieldManager, startElectedProcess } from '../remote/elected-process.ts'
import { NotLeadingError, unlessNotLeading } from '../remote/not-leading-error.ts'
import { type PolicyAdmission, startPolicyAdmission } from '../remote/policy-admission.ts'
import { servesPolicies } from '../remote/server-fields.ts'
import { wrapWrites } from '../wrapped-calls.ts'
import { evictionConfiguration, evictionReviews, type WebhookAddress } from './eviction-webhook.ts'
import { pacerMetrics } from './pacer-metrics.ts'
import { gateReviews, startPacerWebhook } from './pacer-webhook.ts'
import { keepWebhookCertificates } from './webhook-certificates.ts'

/** How new pods of workloads and namespaces that opted in get the gate. */
export type PacerAdmission =
  /** By a MutatingAdmissionPolicy, called `name`. */
  | { readonly by: 'policy'; readonly name: string }
  /** By a webhook that is served here. */
  | { readonly by: 'webhook' }
  /** By their pod templates only. */
  | { readonly by: 'none' }

interface PacerProcess {
  readonly admission: PacerAdmission
  readonly webhooks: WebhookAddress
  /** Evictions wait until their pods are replaced, for so long. Absent: they are not answered. */
  readonly evictionTimeoutMs?: number
}

export function startPacerProcess(options: ElectedProcessOptions, choices: PacerProcess): Promise<ElectedProcess> {
  const { admission, webhooks, evictionTimeoutMs } = choices
  return startElectedProcess(options, async ({ client, ownClient, clock, random, mayWrite, onFailure }) => {
    if (admission.by === 'policy') await warnWithoutPolicies(options)
    const openCaches = () => new SharedInformers({ client, clock, random, ownerOfObjects: 'informer', onFailure })
    // The caches of the webhook, which every replica serves.
    const served = admission.by === 'webhook' ? openCaches() : undefined
    const servedOptIns = served && new OptIns(served)
    served?.start()
    const queues = new QueueMetrics(clock)
    const timeout = evictionTimeoutMs === undefined ? {} : { evictionTimeoutMs }
    const report = unlessNotLeading(onFailure)
    const guarded = wrapWrites(client, (send) => (mayWrite() ? send() : Promise.reject(new NotLeadingError())))
    const recorder = createEventRecorder({ client: guarded, clock, component: 'rollcall-pacer', onFailure: report })
    const { namespace } = options
    const reviews = new Map(servedOptIns && gateReviews(servedOptIns))
    if (evictionTimeoutMs !== undefined) {
      const [path, answer] = evictionReviews({ process: options, client, ownClient, clock, isOptedIn: hasOptedIn, mayWrite, onFailure })
      reviews.set(path, answer)
    }
    const configurations = [
      ...(admission.by === 'webhook' ? [mutatingWebhookConfigurations] : []),
      ...(evictionTimeoutMs === undefined ? [] : [evictionConfiguration]),
    ]
    const webhook = reviews.size === 0 ? undefined : await startPacerWebhook({ ...webhooks, reviews })
    const certificates =
      webhook &&
      keepWebhookCertificates({
        client: guarded,
        clock,
        namespace,
        name: webhooks.name,
        configurations,
        hosts: webhooks.hosts ?? [`${webhooks.name}.${namespace}.svc`],
        mayWrite,
        onCertificates: (found) => webhook.useCertificates(found),
        onFailure: report,
      })
    let pacer: Pacer | undefined
    let informers: SharedInformers | undefined
    let policy: PolicyAdmission | undefined
    let isLed = false
    let isStopped = false
    const policyProblems = () =>
      admission.by !== 'policy' || !isLed
        ? []
        : [...(policy?.waiting ?? [`the admission policy ${admission.name} is not in effect`]), ...bypassWarnings(pacer)]
    return {
      synced: served?.synced ?? Promise.resolve(),
      get hasSynced() {
        return (served?.hasSynced ?? true) && (informers?.hasSynced ?? true)
      },
      // The API server calls replicas that are ready: one without certificates would let pods through without the gate.
      // Without a webhook no request depends on this answer, so it may say that the policy has no effect.
      get unready() {
        if (webhook === undefined) return policyProblems()
        return certificates?.areKnown === false ? ['certificates'] : []
      },
      get warnings() {
        const ofPolicy = policy?.warnings ?? []
        if (webhook === undefined) return ofPolicy
        return [...ofPolicy, ...(admission.by === 'webhook' ? bypassWarnings(pacer) : policyProblems())]
      },
      // The caches of the pacer are filled once it leads: those of a standby could lack pods that the leader before it has just released.
      start() {
        isLed = true
        const own = openCaches()
        informers = own
        const optIns = new OptIns(own)
        const onPlan = (workload: string, pacing: Pacing, cap: number) =>
          options.log.write('debug', `${workload}: ${describePacing(pacing, cap)}`, { workload })
        pacer = startPacer({ client: guarded, clock, informers: own, queues, recorder, onFailure: report, onPlan, ...timeout })
        own.start()
        if (admission.by === 'policy')
          void own.synced.then(() => {
            if (isStopped) return
            policy = startPolicyAdmission({
              client: guarded,
              clock,
              optIns,
              namespace,
              policy: admission.name,
              log: options.log,
              isDryRun: options.isDryRun === true,
              onFailure: report,
            })
          })
        certificates?.check()
      },
      async stop() {
        isStopped = true
        served?.stop()
        informers?.stop()
        await Promise.all([pacer?.stop(), policy?.stop(), certificates?.stop(), webhook?.stop()])
      },
      metrics: () => queues.text() + pacerMetrics(pacer, clock.now()),
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

const shownWorkloads = 5

function bypassWarnings(pacer: Pacer | undefined): readonly string[] {
  const names = pacer?.bypassed() ?? []
  if (names.length === 0) return []
  const more = names.length - shownWorkloads
  return [`new pods arrive without the gate: ${names.slice(0, shownWorkloads).join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
}
