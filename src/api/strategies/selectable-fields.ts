// The fields that a field selector may name, besides metadata.name and metadata.namespace.
import type { CoreEvent, Event, Pod } from '../types.ts'

type Fields<T> = Readonly<Record<string, (object: T) => string>>

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

export const podFields: Fields<Pod> = {
  // What the first clients called the node.
  'spec.host': ({ spec }) => spec?.nodeName ?? '',
  'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
  'spec.restartPolicy': ({ spec }) => spec?.restartPolicy ?? '',
  'spec.schedulerName': ({ spec }) => spec?.schedulerName ?? '',
  'spec.serviceAccountName': ({ spec }) => spec?.serviceAccountName ?? '',
  'spec.hostNetwork': ({ spec }) => String(spec?.hostNetwork === true),
  'status.phase': ({ status }) => status?.phase ?? '',
  'status.podIP': ({ status }) => status?.podIPs?.[0]?.ip ?? status?.podIP ?? '',
  // Kubernetes takes the name and has no value for it.
  'status.podIPs': () => '',
  'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName ?? '',
}

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const

function referred<T>(name: string, of: (event: T) => CoreEvent['involvedObject'] | undefined): Fields<T> {
  return Object.fromEntries(referenceFields.map((field) => [`${name}.${field}`, (event: T) => text(of(event)?.[field])]))
}

export const coreEventFields: Fields<CoreEvent> = {
  ...referred<CoreEvent>('involvedObject', (event) => event.involvedObject),
  reason: ({ reason }) => text(reason),
  reportingComponent: ({ reportingComponent }) => text(reportingComponent),
  source: ({ source, reportingComponent }) => text(source?.component || reportingComponent),
  type: ({ type }) => text(type),
}

export const eventFields: Fields<Event> = {
  ...referred<Event>('regarding', (event) => event.regarding),
  reason: ({ reason }) => text(reason),
  reportingController: ({ reportingController }) => text(reportingController),
  type: ({ type }) => text(type),
}
