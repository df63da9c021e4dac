import { fill } from '../../../machinery/fields.ts'
import type { PriorityLevelConfiguration, Writable } from '../../../types.ts'

export function defaultPriorityLevelConfiguration({ spec }: Writable<PriorityLevelConfiguration>): void {
  if (spec?.exempt)
    spec.exempt = fill('flowcontrol.ExemptPriorityLevelConfiguration', spec.exempt, { nominalConcurrencyShares: 0, lendablePercent: 0 })
  if (spec?.limited) {
    const queuing = spec.limited.limitResponse?.queuing
    if (queuing) {
      queuing.queues ||= 64
      queuing.handSize ||= 8
      queuing.queueLengthLimit ||= 50
    }
    spec.limited = fill('flowcontrol.LimitedPriorityLevelConfiguration', spec.limited, { nominalConcurrencyShares: 30, lendablePercent: 0 })
  }
}
