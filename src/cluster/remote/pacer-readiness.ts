// Whether the pacer is at work: one leads, its admission is in effect, and new pods of the workloads that opted in get the gate.
import { leases, validatingWebhookConfigurations } from '../../api/kinds.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import { parseTime } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import { listNameOf } from '../pacer/pacer-opt-in-list.ts'
import { readAdmissionState } from './admission-proof.ts'
import { probeGates } from './gate-probe.ts'

interface PacerNames {
  /** The namespace of the pacer. */
  readonly namespace: string
  readonly lease: string
  readonly policy: string
}

interface PacerReadiness {
  /** How many workloads opted in. */
  readonly workloads: number
  /** What does not work yet: empty when all does. */
  readonly waitsFor: readonly string[]
}

/** A Lease that was not renewed for so long has no holder. */
const leaderlessMs = 60_000

export async function hasLeader(client: Client, namespace: string, name: string, nowMs: number): Promise<boolean> {
  const lease = await ignoring('NotFound', client.get(leases, { namespace, name }))
  return nowMs - parseTime(lease?.spec?.renewTime ?? '') < leaderlessMs
}

/** `inNamespace`: of the workloads; undefined for all. */
export async function readPacerReadiness(
  client: Client,
  { namespace, lease, policy }: PacerNames,
  inNamespace: string | undefined,
  nowMs: number,
): Promise<PacerReadiness> {
  if (!(await hasLeader(client, namespace, lease, nowMs)))
    return { workloads: 0, waitsFor: [`no pacer leads (Lease ${namespace}/${lease})`] }
  const state = await readAdmissionState(client, { namespace, list: listNameOf(policy), policy })
  if (state === 'waiting') return { workloads: 0, waitsFor: [`the admission policy ${policy} is not in effect`] }
  if (await lacksCertificates(client, policy)) return { workloads: 0, waitsFor: ['the webhook for evictions has no certificates'] }
  const probed = await probeGates(client, inNamespace)
  const waitsFor = probed
    .filter(({ hasGate }) => hasGate !== true)
    .map(
      ({ kind, namespace: own, name, problem }) =>
        `new pods of ${kind} ${own}/${name} get no gate${problem === undefined ? '' : `: ${problem}`}`,
    )
  return { workloads: probed.length, waitsFor }
}

async function lacksCertificates(client: Client, name: string): Promise<boolean> {
  const found = await ignoring('Forbidden', ignoring('NotFound', client.get(validatingWebhookConfigurations, { name })))
  return found?.webhooks?.some(({ clientConfig }) => clientConfig?.caBundle === undefined) ?? false
}
