import type { ResourceClaimTemplate, Writable } from '../../../types.ts'
import { defaultClaimSpec } from '../resource-claim/defaults.ts'

export function defaultResourceClaimTemplate({ spec }: Writable<ResourceClaimTemplate>): void {
  if (spec?.spec) defaultClaimSpec(spec.spec)
}
