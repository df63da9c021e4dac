// Kubernetes: pkg/registry/core/event.ToSelectableFields
// Kubernetes: pkg/apis/core/v1.AddFieldLabelConversionsForEvent
import { type SelectableFields, textOf } from '../../../machinery/selectable-fields.ts'
import type { CoreEvent } from '../../../types.ts'

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const

export function referred<T>(name: string, of: (event: T) => CoreEvent['involvedObject'] | undefined): SelectableFields<T> {
  return Object.fromEntries(referenceFields.map((field) => [`${name}.${field}`, (event: T) => textOf(of(event)?.[field])]))
}

export const coreEventFields: SelectableFields<CoreEvent> = {
  ...referred<CoreEvent>('involvedObject', (event) => event.involvedObject),
  reason: ({ reason }) => textOf(reason),
  reportingComponent: ({ reportingComponent }) => textOf(reportingComponent),
  source: ({ source, reportingComponent }) => textOf(source?.component || reportingComponent),
  type: ({ type }) => textOf(type),
}
