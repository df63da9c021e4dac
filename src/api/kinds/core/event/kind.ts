// Kubernetes: pkg/registry/core/event.eventStrategy.*
import { formatAge } from '../../../../base/duration.ts'
import { columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { type SelectableFields, textOf, unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { CoreEvent } from '../../../types.ts'
import { validateCoreEvent } from './validation.ts'

// Kubernetes: pkg/registry/core/event.ToSelectableFields
// Kubernetes: pkg/apis/core/v1.AddFieldLabelConversionsForEvent
const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const

export function referred<T>(name: string, of: (event: T) => CoreEvent['involvedObject'] | undefined): SelectableFields<T> {
  return Object.fromEntries(referenceFields.map((field) => [`${name}.${field}`, (event: T) => textOf(of(event)?.[field])]))
}

const coreEventFields: SelectableFields<CoreEvent> = {
  ...referred<CoreEvent>('involvedObject', (event) => event.involvedObject),
  reason: ({ reason }) => textOf(reason),
  reportingComponent: ({ reportingComponent }) => textOf(reportingComponent),
  source: ({ source, reportingComponent }) => textOf(source?.component || reportingComponent),
  type: ({ type }) => textOf(type),
}

// Kubernetes: pkg/printers/internalversion.printEvent
export const eventColumns = columnsOf<CoreEvent>([
  text('Last Seen', 'The time since it last happened.', lastSeen),
  text('Type', 'Normal, or a warning.', ({ type }) => type ?? ''),
  text('Reason', 'What happened, in a word.', ({ reason }) => reason ?? ''),
  text('Object', 'What it happened to.', objectCell),
  text('Subobject', 'What part of it.', ({ involvedObject }) => involvedObject?.fieldPath ?? '', 1),
  text('Source', 'Who reports it.', sourceCell, 1),
  text('Message', 'What happened, in a sentence.', ({ message }) => (message ?? '').trim()),
  text('First Seen', 'The time since it first happened.', firstSeen, 1),
  text('Count', 'How often it happened.', ({ series, count }) => (series ? (series.count ?? 0) : count || 1), 1),
  { ...nameColumn, priority: 1 },
])

function firstSeen({ firstTimestamp, eventTime }: CoreEvent, nowMs: number): string {
  return formatAge(firstTimestamp ?? eventTime, nowMs)
}

function lastSeen(event: CoreEvent, nowMs: number): string {
  if (event.series) return formatAge(event.series.lastObservedTime, nowMs)
  return event.lastTimestamp ? formatAge(event.lastTimestamp, nowMs) : firstSeen(event, nowMs)
}

function objectCell({ involvedObject }: CoreEvent): string {
  const { kind = '', name = '' } = involvedObject ?? {}
  return name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`
}

function sourceCell({ source, reportingComponent, reportingInstance }: CoreEvent): string {
  const component = source?.component || reportingComponent || ''
  const instance = source?.host || reportingInstance || ''
  return instance === '' ? component : `${component}, ${instance}`
}

export const coreEvents: Kind<CoreEvent> = {
  ...resource('core.Event'),
  storage: 'events',
  strategy: {
    names: 'path-segment',
    createOnUpdate: true,
    metadata: { anyFinalizer: true, onUpdate: [] },
    validate: validateCoreEvent,
  },
  selectableFields: coreEventFields,
  columns: eventColumns,
  unknownFieldMessage: unsupportedField,
  isLog: true,
  hasFewEqualParts: true,
}
