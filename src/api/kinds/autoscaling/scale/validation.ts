// The Scale of an object that has replicas.
// Kubernetes: pkg/apis/autoscaling/validation.ValidateScale
import type { FieldError } from '../../../machinery/field-error.ts'
import { addNegative } from '../../../machinery/validation/counts.ts'
import type { Scale } from '../../../types.ts'

export function validateScale(scale: Scale): FieldError[] {
  const errors: FieldError[] = []
  addNegative(errors, scale.spec?.replicas, 'spec.replicas')
  return errors
}
