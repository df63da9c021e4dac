// Kubernetes validates the Events of core/v1 and of events.k8s.io/v1 by the same rules: its messages name the fields of core/v1
// for both, and events.k8s.io/v1 has further rules (../../events/event/validation.ts).
import { type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import { isDns1123Subdomain, isLongerThan, isQualifiedName } from '../../../machinery/validation/names.ts'
import type { CoreEvent } from '../../../types.ts'

/** The fields that the rules check, from either form of the event. */
export interface EventFacts {
  readonly namespace: string
  readonly eventTime: string | undefined
  readonly regarding: string
  readonly controller: string
  readonly instance: string
  readonly action: string
  readonly reason: string
  readonly message: string
  readonly controllerField: string
}

const coreFacts = (event: CoreEvent): EventFacts => ({
  namespace: event.metadata?.namespace ?? '',
  eventTime: event.eventTime ?? undefined,
  regarding: event.involvedObject?.namespace ?? '',
  controller: event.reportingComponent ?? '',
  instance: event.reportingInstance ?? '',
  action: event.action ?? '',
  reason: event.reason ?? '',
  message: event.message ?? '',
  controllerField: 'reportingComponent',
})

export function validateFacts(event: EventFacts): FieldError[] {
  const errors: FieldError[] = []
  const { namespace, regarding } = event
  const misplaced = invalid('involvedObject.namespace', regarding, 'does not match event.namespace')
  if (event.eventTime === undefined) {
    if (regarding === '' ? namespace !== '' && namespace !== 'default' : namespace !== regarding) errors.push(misplaced)
  } else {
    if (regarding === '' && namespace !== 'default' && namespace !== 'kube-system') errors.push(misplaced)
    if (event.controller === '') errors.push(required(event.controllerField, ''))
    for (const message of isQualifiedName(event.controller)) errors.push(invalid(event.controllerField, event.controller, message))
    const limit = (field: string, value: string, max: number, isRequired: boolean) => {
      if (isRequired && value === '') errors.push(required(field, ''))
      if (isLongerThan(value, max)) errors.push(invalid(field, '', `can have at most ${max} characters`))
    }
    limit('reportingInstance', event.instance, 128, true)
    limit('action', event.action, 128, true)
    limit('reason', event.reason, 128, true)
    limit('message', event.message, 1024, false)
  }
  for (const message of isDns1123Subdomain(namespace)) errors.push(invalid('namespace', namespace, message))
  return errors
}

export const validateCoreEvent = (event: CoreEvent): FieldError[] => validateFacts(coreFacts(event))
