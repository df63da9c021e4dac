// The certificates of webhooks: an authority of its own, in a Secret that all replicas read, and the caBundle of the webhook
// configurations. The leader creates and renews them; a standby only reads.
//
// The authority keeps its key when its certificate is renewed, so a caBundle that is older than the server's certificate verifies it too.
import { X509Certificate } from 'node:crypto'
import { type mutatingWebhookConfigurations, secrets } from '../../api/kinds.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { CancelTimer, Clock } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import { createAuthority, createCertificate, expiryOf, type KeyAndCertificate, renewAuthority } from '../credentials/certificates.ts'
import { namesAll } from '../credentials/credentials.ts'

export interface WebhookCertificates {
  readonly authority: KeyAndCertificate
  readonly server: KeyAndCertificate
}

/** MutatingWebhookConfiguration, or another kind of the same form. */
export type WebhookConfigurationKind = typeof mutatingWebhookConfigurations

const dayMs = 86_400_000
const lifeMs = 90 * dayMs
/** A certificate is renewed so long before it expires. */
const renewalMs = 30 * dayMs
/** A configuration that was applied again has no caBundle, and its webhook no effect, until then. */
const checkMs = 10_000
/** While there are none: a standby waits for the leader to write them. */
const firstCheckMs = 1_000

/** The certificates to use from `nowMs` on: those given, where they are valid for long enough and name all hosts, or new ones. */
export function planCertificates(
  known: WebhookCertificates | undefined,
  hosts: readonly string[],
  nowMs: number,
): { readonly certificates: WebhookCertificates; readonly isNew: boolean } {
  const isFresh = (pair: KeyAndCertificate) => expiryOf(pair) - nowMs >= renewalMs
  if (known !== undefined && isFresh(known.authority) && isFresh(known.server) && namesAll(known.server, hosts))
    return { certificates: known, isNew: false }
  const authority =
    known === undefined
      ? createAuthority('rollcall-pacer-webhook', nowMs)
      : isFresh(known.authority)
        ? known.authority
        : renewAuthority(known.authority, nowMs)
  const server = createCertificate(authority, { commonName: hosts[0] ?? 'rollcall-pacer', use: 'server', hosts, lifeMs }, nowMs)
  return { certificates: { authority, server }, isNew: true }
}

interface WebhookCertificatesOptions {
  readonly client: Client
  readonly clock: Clock
  /** Of the Secret. */
  readonly namespace: string
  /** Of the Secret and of each configuration. */
  readonly name: string
  /** The kinds of the configurations. */
  readonly configurations: readonly WebhookConfigurationKind[]
  readonly hosts: readonly string[]
  /** Whether this replica leads: otherwise it waits until the leader has written. */
  mayWrite(): boolean
  onCertificates(certificates: WebhookCertificates): void
  onFailure(what: string, error: unknown): void
}

interface KeptCertificates {
  /** Whether `onCertificates` was called. */
  readonly areKnown: boolean
  /** Leadership has changed: check now. */
  check(): void
  stop(): Promise<void>
}

export function keepWebhookCertificates(options: WebhookCertificatesOptions): KeptCertificates {
  const { clock, onFailure } = options
  let used = ''
  let cancel: CancelTimer = () => {}
  let running: Promise<void> | undefined
  let isDue = false
  let isStopped = false
  const round = async () => {
    const certificates = await readOrRenew(options)
    if (certificates === undefined) return
    if (certificates.server.certificate !== used) {
      used = certificates.server.certificate
      options.onCertificates(certificates)
    }
    if (options.mayWrite()) await patchBundles(options, certificates.authority.certificate)
  }
  const check = () => {
    if (isStopped) return
    cancel()
    if (running !== undefined) {
      isDue = true
      return
    }
    running = round()
      .catch((error: unknown) => onFailure('keeping the certificates of the webhook', error))
      .then(() => {
        running = undefined
        if (isDue) {
          isDue = false
          check()
        } else if (!isStopped) cancel = clock.after(used === '' ? firstCheckMs : checkMs, check)
      })
  }
  check()
  return {
    get areKnown() {
      return used !== ''
    },
    check,
    async stop() {
      isStopped = true
      cancel()
      await running
    },
  }
}

/** Undefined: there are none yet, and this replica does not lead. */
async function readOrRenew(options: WebhookCertificatesOptions): Promise<WebhookCertificates | undefined> {
  const { client, clock, namespace, name, hosts, mayWrite } = options
  const found = await ignoring('NotFound', client.get(secrets, { namespace, name }))
  const known = certificatesIn(found?.data)
  if (!mayWrite()) return known
  const { certificates, isNew } = planCertificates(known, hosts, clock.now())
  if (!isNew) return certificates
  const data = dataOf(certificates)
  if (found === undefined) await client.create(secrets, namespace, { metadata: { name, namespace }, type: 'Opaque', data })
  else await client.update(secrets, { ...found, data })
  return certificates
}

const encode = (text: string) => Buffer.from(text).toString('base64')
const decode = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString()

const dataOf = ({ authority, server }: WebhookCertificates) => ({
  'ca.crt': encode(authority.certificate),
  'ca.key': encode(authority.key),
  'tls.crt': encode(server.certificate),
  'tls.key': encode(server.key),
})

/** Undefined where something is missing or cannot be read: all of it is created again. */
function certificatesIn(data: Readonly<Record<string, string>> | undefined): WebhookCertificates | undefined {
  const certificates = {
    authority: { certificate: decode(data?.['ca.crt']), key: decode(data?.['ca.key']) },
    server: { certificate: decode(data?.['tls.crt']), key: decode(data?.['tls.key']) },
  }
  try {
    const { server, authority } = certificates
    return new X509Certificate(server.certificate).verify(new X509Certificate(authority.certificate).publicKey) ? certificates : undefined
  } catch {
    return undefined
  }
}

async function patchBundles({ client, name, configurations }: WebhookCertificatesOptions, authority: string): Promise<void> {
  const caBundle = encode(authority)
  for (const kind of configurations) {
    const { webhooks = [] } = await client.get(kind, { name })
    const stale = webhooks.filter(({ clientConfig }) => clientConfig?.caBundle !== caBundle)
    if (stale.length === 0) continue
    const patch = { webhooks: stale.map((webhook) => ({ name: webhook.name, clientConfig: { caBundle } })) }
    await client.patch(kind, { name }, 'strategic', patch)
  }
}
