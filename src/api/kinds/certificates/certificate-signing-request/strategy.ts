// What the two endpoints of a decision change: an approver adds conditions, a signer the certificate and other conditions.
// Kubernetes: pkg/registry/certificates/certificates.csrApprovalStrategy.PrepareForUpdate, csrStatusStrategy.PrepareForUpdate
// Kubernetes: pkg/registry/certificates/certificates.populateConditionTimestamps
import { formatTime } from '../../../../base/clock.ts'
import { replaceFields } from '../../../machinery/fields.ts'
import { keepSpec } from '../../../machinery/kept-fields.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import type { CertificateSigningRequest, Writable } from '../../../types.ts'

type Conditions = NonNullable<NonNullable<CertificateSigningRequest['status']>['conditions']>

export function prepareForApproval(
  next: Writable<CertificateSigningRequest>,
  current: CertificateSigningRequest,
  context: StrategyContext,
): void {
  const conditions = withTimes(next.status?.conditions ?? [], current, context)
  keepSpec(next, current)
  next.status = withConditions(current.status, conditions)
}

/** Changes of the decision are for the approver: they are undone, or refused where a decision is added or removed. */
export function prepareForSigning(
  next: Writable<CertificateSigningRequest>,
  current: CertificateSigningRequest,
  context: StrategyContext,
): void {
  keepSpec(next, current)
  let conditions: Conditions = next.status?.conditions ?? []
  for (const decision of ['Approved', 'Denied']) conditions = withKept(conditions, current, decision)
  conditions = withTimes(conditions, current, context)
  if (next.status !== undefined) next.status = withConditions(next.status, conditions)
}

function withConditions(status: CertificateSigningRequest['status'], conditions: Conditions) {
  const next = replaceFields('certificates.CertificateSigningRequestStatus', status ?? {}, {
    conditions: conditions.length === 0 ? undefined : conditions,
  })
  return next as NonNullable<Writable<CertificateSigningRequest>['status']>
}

function withKept(conditions: Conditions, current: CertificateSigningRequest, decision: string): Conditions {
  const kept = (current.status?.conditions ?? []).filter(({ type }) => type === decision)
  if (conditions.filter(({ type }) => type === decision).length !== kept.length) return conditions
  return conditions.map((condition) => (condition.type === decision ? kept.shift()! : condition))
}

/** A condition without times gets the current one. A known condition keeps the time of its transition. */
function withTimes(conditions: Conditions, current: CertificateSigningRequest, { nowMs }: StrategyContext): Conditions {
  return conditions.map((condition) => {
    if (condition.lastUpdateTime && condition.lastTransitionTime) return condition
    const before = current.status?.conditions?.find(
      ({ type, status, lastTransitionTime }) => type === condition.type && status === condition.status && lastTransitionTime,
    )
    return replaceFields('certificates.CertificateSigningRequestCondition', condition, {
      lastUpdateTime: condition.lastUpdateTime || formatTime(nowMs),
      lastTransitionTime: condition.lastTransitionTime || before?.lastTransitionTime || formatTime(nowMs),
    }) as Conditions[number]
  })
}
