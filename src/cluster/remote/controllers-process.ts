// `rollcall controllers` as a process: the preflight, and then the workload controllers while it leads.

import type { FeatureGates } from '../../api/machinery/feature-gates.ts'
import { realClock } from '../../base/clock.ts'
import { HttpTransport } from '../../client/http-transport.ts'
import { remoteControllerDefinitions } from '../../controllers/definitions.ts'
import { isReplacedBeforeEviction } from '../../controllers/deployment/evictions.ts'
import { describeReasons } from '../../controllers/deployment/plan/reasons.ts'
import { EvictionCounts } from '../../controllers/eviction/eviction-counts.ts'
import { startEvictionWebhook, type WebhookAddress } from '../pacer/eviction-webhook.ts'
import { type ElectedProcess, type ElectedProcessOptions, type ElectedWork, fieldManager, startElectedProcess } from './elected-process.ts'
import { findActiveControllers, refusal } from './preflight.ts'
import { createRemoteControllers } from './remote-controllers.ts'
import { readServerFields } from './server-fields.ts'

interface ControllersProcessOptions extends ElectedProcessOptions {
  /** By the names of their flags. */
  readonly controllers: readonly string[]
  readonly gates: FeatureGates
  readonly skipsPreflight?: boolean
  readonly workers?: number | undefined
  /** Pods are replaced before they are evicted. Absent: evictions are not answered. */
  readonly evictions?: { readonly timeoutMs: number; readonly address: WebhookAddress } | undefined
}

/** The preflight found built-in controllers; `instructions` say how to turn them off, a line for each kind of installation. */
export class PreflightError extends Error {
  readonly instructions: string

  constructor(text: string) {
    const [message = '', ...instructions] = text.split('\n')
    super(message)
    this.instructions = instructions.join('\n')
  }
}

const preflightWaitMs = 3_000

export function startControllersProcess(options: ControllersProcessOptions): Promise<ElectedProcess> {
  const { connection, log, namespace, gates, workers, evictions } = options
  const controllers = remoteControllerDefinitions.filter(({ remote }) => options.controllers.includes(remote.flag))
  return startElectedProcess(options, async ({ client, ownClient, clock, random, metrics, mayWrite, onFailure }) => {
    const transport = new HttpTransport({ connection, clock: realClock, name: fieldManager })
    const fields = await readServerFields((path) => transport.send({ method: 'GET', path }), clock)
    transport.close()
    if (!options.skipsPreflight && !options.isDryRun) {
      log.write('info', 'checking that the built-in controllers are off', { controllers: options.controllers })
      const active = await findActiveControllers({ client: ownClient, clock, random, namespace, controllers, waitMs: preflightWaitMs })
      if (active.length > 0) throw new PreflightError(refusal(active, controllers))
    }
    const settings = evictions && { timeoutMs: evictions.timeoutMs, counts: new EvictionCounts() }
    const work = createRemoteControllers({
      client,
      clock,
      random,
      gates,
      controllers,
      manager: fieldManager,
      ...(workers !== undefined && { workers }),
      lacksTerminatingReplicas: !fields.terminatingReplicas,
      mayWrite,
      evictions: settings,
      onFight(kind, { metadata: { namespace, name } = {} }, manager) {
        metrics.count('rollcall_fights_total', { kind })
        const object = namespace === undefined ? name : `${namespace}/${name}`
        log.write(
          'error',
          `"${manager}" also writes the status of ${kind} ${object}: the object is left alone for a while; turn the other writer off`,
          {
            kind,
            object,
            manager,
          },
        )
      },
      onPlan: (key, reasons) => log.write('debug', `deployment ${key}: ${describeReasons(reasons)}`, { deployment: key }),
      onFailure,
    })
    if (evictions === undefined) return work
    const webhook = await startEvictionWebhook({
      process: options,
      address: evictions.address,
      client,
      ownClient,
      clock,
      isOptedIn: isReplacedBeforeEviction(gates),
      mayWrite,
      onFailure,
    })
    return withWebhook(work, webhook)
  })
}

const withWebhook = (work: ElectedWork, webhook: Awaited<ReturnType<typeof startEvictionWebhook>>): ElectedWork => ({
  synced: work.synced,
  get hasSynced() {
    return work.hasSynced
  },
  get unready() {
    return [...(work.unready ?? []), ...webhook.unready]
  },
  start() {
    work.start()
    webhook.check()
  },
  async stop() {
    await Promise.all([work.stop(), webhook.stop()])
  },
  metrics: () => work.metrics(),
})
