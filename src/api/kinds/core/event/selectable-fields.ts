import { type SelectableFields, text } from '../../../machinery/selectable-fields.ts'
import type { CoreEvent } from '../../../types.ts'

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const

export function referred<T>(name: string, of: (event: T) => CoreEvent['involvedObject'] | undefined): SelectableFields<T> {
  return Object.fromEntries(referenceFields.map((field) => [`${name}.${field}`, (event: T) => text(of(event)?.[field])]))
}

export const coreEventFields: SelectableFields<CoreEvent> = {
  ...referred<CoreEvent>('involvedObject', (event) => event.involvedObject),
  reason: ({ reason }) => text(reason),
  reportingComponent: ({ reportingComponent }) => text(reportingComponent),
  source: ({ source, reportingComponent }) => text(source?.component || reportingComponent),
  type: ({ type }) => text(type),
}
