import { isEqualJson } from '../../../../base/json.ts'
import { type FieldError, invalid } from '../../../machinery/field-error.ts'
import { immutableMessage, validateAnnotations, validateLabels } from '../../../machinery/validation/metadata.ts'
import type { ResourceClaimTemplate } from '../../../types.ts'
import { validateDeviceClaim } from '../resource-claim/device-claim-validation.ts'

export function validateResourceClaimTemplate({ spec }: ResourceClaimTemplate): FieldError[] {
  const { labels, annotations } = spec?.metadata ?? {}
  return [
    ...validateLabels(labels, 'spec.metadata.labels'),
    ...validateAnnotations(annotations, 'spec.metadata.annotations'),
    ...validateDeviceClaim(spec?.spec?.devices ?? {}, 'spec.spec.devices'),
  ]
}

export const validateResourceClaimTemplateUpdate = (next: ResourceClaimTemplate, current: ResourceClaimTemplate): FieldError[] =>
  isEqualJson(next.spec, current.spec) ? [] : [invalid('spec', next.spec, immutableMessage)]
