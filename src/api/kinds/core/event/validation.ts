// Kubernetes validates the Events of core/v1 and of events.k8s.io/v1 by the same rules: its messages name the fields of core/v1
// for both, and events.k8s.io/v1 has further rules (../../events/event/validation.ts).
// Kubernetes: pkg/apis/core/validation.ValidateEventCreate, legacyValidateEvent
import { type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import { isDns1123Subdomain, isLongerThan, isQualifiedName } from '../../../machinery/validation/names.ts'
import type { CoreEvent } from '../../../types.ts'

export const validateCoreEvent = (event: CoreEvent): FieldError[] => validateEventFields(event, 'reportingComponent')

/** `controllerField` is the name of reportingComponent in the version of the request. */
export function validateEventFields(event: CoreEvent, controllerField: string): FieldError[] {
  const errors: FieldError[] = []
  const { action = '', reason = '', message = '', reportingComponent: controller = '', reportingInstance = '' } = event
  const { namespace = '' } = event.metadata ?? {}
  const { namespace: regarding = '' } = event.involvedObject ?? {}
  const misplaced = invalid('involvedObject.namespace', regarding, 'does not match event.namespace')
  if (event.eventTime === undefined || event.eventTime === null) {
    if (regarding === '' ? namespace !== '' && namespace !== 'default' : namespace !== regarding) errors.push(misplaced)
  } else {
    if (regarding === '' && namespace !== 'default' && namespace !== 'kube-system') errors.push(misplaced)
    if (controller === '') errors.push(required(controllerField, ''))
    for (const problem of isQualifiedName(controller)) errors.push(invalid(controllerField, controller, problem))
    const limit = (field: string, value: string, max: number, isRequired: boolean) => {
      if (isRequired && value === '') errors.push(required(field, ''))
      if (isLongerThan(value, max)) errors.push(invalid(field, '', `can have at most ${max} characters`))
    }
    limit('reportingInstance', reportingInstance, 128, true)
    limit('action', action, 128, true)
    limit('reason', reason, 128, true)
    limit('message', message, 1024, false)
  }
  for (const problem of isDns1123Subdomain(namespace)) errors.push(invalid('namespace', namespace, problem))
  return errors
}
