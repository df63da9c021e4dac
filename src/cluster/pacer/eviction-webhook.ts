// The webhook for evictions, which every replica of `rollcall pacer` and `rollcall controllers` serves: requests may reach any of them.
import { validatingWebhookConfigurations } from '../../api/kinds.ts'
import type { Clock } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import { type EvictionRequest, reviewEviction } from '../../controllers/eviction/review-eviction.ts'
import type { ElectedProcessOptions } from '../remote/elected-process.ts'
import { NotLeadingError, unlessNotLeading } from '../remote/not-leading-error.ts'
import { hasLeader } from '../remote/pacer-readiness.ts'
import { wrapWrites } from '../wrapped-calls.ts'
import { answerEviction, evictionPath, startPacerWebhook } from './pacer-webhook.ts'
import { keepWebhookCertificates, type WebhookConfigurationKind } from './webhook-certificates.ts'

/** Where and under which names webhooks are served. */
export interface WebhookAddress {
  /** Of the Secret with the certificates and of the webhook configurations. */
  readonly name: string
  /** In the certificate. Default: the name of the Service. */
  readonly hosts?: readonly string[]
  readonly host: string
  readonly port: number
}

interface EvictionReviews {
  readonly process: Pick<ElectedProcessOptions, 'namespace' | 'leaderElection' | 'isDryRun'>
  readonly client: Client
  /** Replicas that do not lead note evictions on the pods too. */
  readonly ownClient: Client
  readonly clock: Clock
  readonly isOptedIn: Parameters<typeof reviewEviction>[3]
  mayWrite(): boolean
  onFailure(what: string, error: unknown): void
}

/** By path: the answers to evictions. Without a leader nothing replaces pods, and evictions do not wait. */
export function evictionReviews(options: EvictionReviews): [string, (review: Parameters<typeof answerEviction>[0]) => Promise<object>] {
  const { client, ownClient, clock, isOptedIn, mayWrite, onFailure } = options
  const { namespace, leaderElection, isDryRun } = options.process
  const reviewer = isDryRun === true ? client : ownClient
  const isLed = async () =>
    mayWrite() || leaderElection === undefined || (await hasLeader(ownClient, namespace, leaderElection.name, clock.now()))
  const decide = async (request: EvictionRequest) =>
    (await isLed()) ? reviewEviction(reviewer, request, clock.now(), isOptedIn) : undefined
  const ask = (request: EvictionRequest) =>
    decide(request).catch((error: unknown) => {
      onFailure(`answering the eviction of pod ${request.namespace}/${request.name}`, error)
      return undefined
    })
  return [evictionPath, (review) => answerEviction(review, ask)]
}

export const evictionConfiguration = validatingWebhookConfigurations as WebhookConfigurationKind

/** Only the webhook for evictions, for `rollcall controllers`. */
export async function startEvictionWebhook(options: EvictionReviews & { readonly address: WebhookAddress }) {
  const { address, client, clock, mayWrite } = options
  const { namespace } = options.process
  const webhook = await startPacerWebhook({ ...address, reviews: new Map([evictionReviews(options)]) })
  const certificates = keepWebhookCertificates({
    client: wrapWrites(client, (send) => (mayWrite() ? send() : Promise.reject(new NotLeadingError()))),
    clock,
    namespace,
    name: address.name,
    configurations: [evictionConfiguration],
    hosts: address.hosts ?? [`${address.name}.${namespace}.svc`],
    mayWrite,
    onCertificates: (found) => webhook.useCertificates(found),
    onFailure: unlessNotLeading(options.onFailure),
  })
  return {
    /** What it lacks: the API server sends requests to replicas that are ready. */
    get unready() {
      return certificates.areKnown ? [] : ['certificates']
    },
    /** To be called when leadership is held. */
    check: () => certificates.check(),
    async stop() {
      await Promise.all([certificates.stop(), webhook.stop()])
    },
  }
}
