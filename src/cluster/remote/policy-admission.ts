import { listNameOf, type OptInListOptions, startOptInList } from '../pacer/pacer-opt-in-list.ts'
import { type AdmissionProof, type AdmissionState, startAdmissionProof } from './admission-proof.ts'
import type { Log } from './structured-log.ts'

interface PolicyAdmissionOptions extends Omit<OptInListOptions, 'name'> {
  /** Of the policy. */
  readonly policy: string
  readonly log: Log
  /** Nothing is written, so that nothing can be proven. */
  readonly isDryRun: boolean
}

export interface PolicyAdmission {
  /** What does not work yet; empty when the policy is in effect. */
  readonly waiting: readonly string[]
  readonly warnings: readonly string[]
  stop(): Promise<void>
}

/** The caches must have synced. */
export function startPolicyAdmission(options: PolicyAdmissionOptions): PolicyAdmission {
  const { policy, namespace, log, isDryRun } = options
  const name = listNameOf(policy)
  const list = startOptInList({ ...options, name })
  let proof: AdmissionProof | undefined
  let isStopped = false
  const missing = `there is no MutatingAdmissionPolicy ${policy}: only the gate in a pod template has an effect`
  const report = (state: AdmissionState) => {
    if (state === 'in effect') log.write('info', 'the admission policy is in effect', { policy })
    if (state === 'missing') log.write('warn', missing, { policy })
  }
  // Not before: the list of the leader before this one lacks what has opted in since.
  if (!isDryRun)
    void list.written.then(() => {
      if (!isStopped) proof = startAdmissionProof({ ...options, list: name, namespace, onChange: report })
    })
  return {
    get waiting() {
      return isDryRun || (proof?.state ?? 'waiting') !== 'waiting' ? [] : [`the admission policy ${policy} is not in effect`]
    },
    get warnings() {
      return proof?.state === 'missing' ? [missing] : []
    },
    async stop() {
      isStopped = true
      await Promise.all([list.stop(), proof?.stop()])
    },
  }
}
