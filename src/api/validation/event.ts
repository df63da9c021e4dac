// Events, in the form of core/v1 and in that of events.k8s.io/v1. They are one kind to Kubernetes, whose messages name
// the fields of the older form in both, and whose rules are stricter for the newer.
import { type FieldError, invalid, required } from '../machinery/field-error.ts'
import type { StrategyContext } from '../machinery/kind.ts'
import { isEqualAs, isEqualOptional } from '../machinery/schema/equality.ts'
import { typed } from '../machinery/shown-value.ts'
import { immutableMessage } from '../machinery/validation/metadata.ts'
import { isDns1123Subdomain, isLongerThan, isQualifiedName } from '../machinery/validation/names.ts'
import { shownStruct } from '../machinery/validation/shown-struct.ts'
import type { CoreEvent, Event } from '../types.ts'

/** What the rules speak of, wherever it stands. */
interface Facts {
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

const coreFacts = (event: CoreEvent): Facts => ({
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

const facts = (event: Event): Facts => ({
  namespace: event.metadata?.namespace ?? '',
  eventTime: event.eventTime ?? undefined,
  regarding: event.regarding?.namespace ?? '',
  controller: event.reportingController ?? '',
  instance: event.reportingInstance ?? '',
  action: event.action ?? '',
  reason: event.reason ?? '',
  message: event.note ?? '',
  controllerField: 'reportingController',
})

function validate(event: Facts): FieldError[] {
  const errors: FieldError[] = []
  const { namespace, regarding } = event
  const misplaced = invalid('involvedObject.namespace', regarding, 'does not match event.namespace')
  if (event.eventTime === undefined) {
    if (regarding === '' ? namespace !== '' && namespace !== 'default' : namespace !== regarding) errors.push(misplaced)
  } else {
    if (regarding === '' && namespace !== 'default' && namespace !== 'kube-system') errors.push(misplaced)
    if (event.controller === '') errors.push(required(event.controllerField, ''))
    for (const message of isQualifiedName(event.controller)) errors.push(invalid(event.controllerField, event.controller, message))
    const limit = (field: string, value: string, most: number, isRequired: boolean) => {
      if (isRequired && value === '') errors.push(required(field, ''))
      if (isLongerThan(value, most)) errors.push(invalid(field, '', `can have at most ${most} characters`))
    }
    limit('reportingInstance', event.instance, 128, true)
    limit('action', event.action, 128, true)
    limit('reason', event.reason, 128, true)
    limit('message', event.message, 1024, false)
  }
  for (const message of isDns1123Subdomain(namespace)) errors.push(invalid('namespace', namespace, message))
  return errors
}

export const validateCoreEvent = (event: CoreEvent, _context: StrategyContext): FieldError[] => validate(coreFacts(event))
export const validateCoreEventUpdate = (next: CoreEvent, _current: CoreEvent, _context: StrategyContext): FieldError[] =>
  validate(coreFacts(next))

export function validateEvent(event: Event, _context: StrategyContext): FieldError[] {
  const errors = validate(facts(event))
  addSeriesErrors(errors, event)
  if (!event.eventTime) errors.push(required('eventTime', ''))
  if (event.type !== 'Normal' && event.type !== 'Warning') errors.push(invalid('type', '', `has invalid value: ${event.type ?? ''}`))
  const unset = (field: string, isSet: boolean) => {
    if (isSet) errors.push(invalid(field, '', 'needs to be unset'))
  }
  unset('firstTimestamp', Boolean(event.deprecatedFirstTimestamp))
  unset('lastTimestamp', Boolean(event.deprecatedLastTimestamp))
  unset('count', Boolean(event.deprecatedCount))
  unset('source', Boolean(event.deprecatedSource?.component) || Boolean(event.deprecatedSource?.host))
  return errors
}

function addSeriesErrors(errors: FieldError[], { series }: Event): void {
  if (series === undefined) return
  if ((series.count ?? 0) < 2) errors.push(invalid('series.count', '', 'should be at least 2'))
  if (!series.lastObservedTime) errors.push(required('series.lastObservedTime', ''))
}

const time = { kind: 'scalar', scalar: 'Time', pointer: false } as const

/** Only the series of an event goes on. */
export function validateEventUpdate(next: Event, current: Event, _context: StrategyContext): FieldError[] {
  const errors = validate(facts(next))
  if (!isEqualOptional('events.EventSeries', next.series, current.series)) addSeriesErrors(errors, next)
  const structs = { regarding: 'core.ObjectReference', deprecatedSource: 'core.EventSource', related: 'core.ObjectReference' } as const
  const keep = (name: string, field: keyof Event) => {
    const value = next[field]
    const old = current[field]
    if (field === 'regarding' || field === 'deprecatedSource' || field === 'related') {
      const isSame = isEqualOptional(
        structs[field],
        value ?? (field === 'related' ? undefined : {}),
        old ?? (field === 'related' ? undefined : {}),
      )
      if (!isSame) errors.push(invalid(name, shownStruct(structs[field], value), immutableMessage))
    } else if (field === 'deprecatedFirstTimestamp' || field === 'deprecatedLastTimestamp' || field === 'eventTime') {
      if (!isEqualAs(time, value, old)) errors.push(invalid(name, value, immutableMessage))
    } else if ((value || undefined) !== (old || undefined))
      errors.push(invalid(name, field === 'deprecatedCount' ? (value ?? 0) : typed(String(value ?? '')), immutableMessage))
  }
  keep('involvedObject', 'regarding')
  keep('reason', 'reason')
  keep('message', 'note')
  keep('source', 'deprecatedSource')
  keep('firstTimestamp', 'deprecatedFirstTimestamp')
  keep('lastTimestamp', 'deprecatedLastTimestamp')
  keep('count', 'deprecatedCount')
  keep('reason', 'reason')
  keep('type', 'type')
  keep('eventTime', 'eventTime')
  keep('action', 'action')
  keep('related', 'related')
  keep('reportingController', 'reportingController')
  keep('reportingInstance', 'reportingInstance')
  return errors
}
