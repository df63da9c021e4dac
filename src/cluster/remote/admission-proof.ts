// Whether the MutatingAdmissionPolicy of the pacer has an effect, with the list of workloads as it is stored now. An API server acts on a policy, and on its parameter,
// only when its watches have reported them; it does not say when.
//
// The proof: a patch of the list, as a dry run that stores nothing. The policy notes on it the version of the list that it reads itself.
// It holds for the API server that answered; others behind the same address may be behind.
import { mutatingAdmissionPolicies, roles } from '../../api/kinds.ts'
import { ignoring, isStatusError } from '../../api/machinery/status-error.ts'
import type { CancelTimer, Clock } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'

/** The annotation in the answer. */
export const observedKey = 'rollcall.dev/observed-list'

/** `waiting`: it has no effect yet. `missing`: there is no policy. */
export type AdmissionState = 'in effect' | 'waiting' | 'missing'

interface AdmissionNames {
  /** Of the list. */
  readonly namespace: string
  readonly list: string
  readonly policy: string
}

export async function readAdmissionState(client: Client, { namespace, list, policy }: AdmissionNames): Promise<AdmissionState> {
  if (!(await exists(client, policy))) return 'missing'
  const probed = await ignoring('NotFound', client.patch(roles, { namespace, name: list }, 'merge', {}, { dryRun: true }))
  return probed !== undefined && probed.metadata.annotations?.[observedKey] === probed.metadata.resourceVersion ? 'in effect' : 'waiting'
}

/** v1 since Kubernetes 1.36. */
const policyVersions = ['v1', 'v1beta1']

/** True for a client that may not read policies: it can still prove that one has an effect. */
async function exists(client: Client, policy: string): Promise<boolean> {
  for (const version of policyVersions)
    try {
      await client.get({ ...mutatingAdmissionPolicies, version }, { name: policy })
      return true
    } catch (error) {
      if (isStatusError(error, 'Forbidden')) return true
      if (!isStatusError(error, 'NotFound')) throw error
    }
  return false
}

interface AdmissionProofOptions extends AdmissionNames {
  readonly client: Client
  readonly clock: Clock
  /** The state is another one than before. */
  onChange(state: AdmissionState): void
  onFailure(what: string, error: unknown): void
}

export interface AdmissionProof {
  /** Undefined: not known yet. */
  readonly state: AdmissionState | undefined
  stop(): Promise<void>
}

const firstRetryMs = 50
const maxRetryMs = 2_000

/** Asks until it is in effect. */
export function startAdmissionProof(options: AdmissionProofOptions): AdmissionProof {
  const { client, clock, onChange, onFailure } = options
  let state: AdmissionState | undefined
  let retryMs = firstRetryMs
  let cancel: CancelTimer = () => {}
  let running: Promise<void>
  let isStopped = false
  const ask = async () => {
    try {
      const found = await readAdmissionState(client, options)
      if (found !== state && !isStopped) {
        state = found
        onChange(found)
      }
    } catch (error) {
      onFailure('proving that the admission policy has an effect', error)
    }
    if (isStopped || state === 'in effect') return
    cancel = clock.after(retryMs, () => {
      running = ask()
    })
    retryMs = Math.min(retryMs * 2, maxRetryMs)
  }
  running = ask()
  return {
    get state() {
      return state
    },
    async stop() {
      isStopped = true
      cancel()
      await running
    },
  }
}
