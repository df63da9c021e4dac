// An event has two forms with different field names. The core/v1 form is stored; the events.k8s.io/v1 form is derived from it.
// Kubernetes: pkg/apis/events/v1.Convert_v1_Event_To_core_Event, Convert_core_Event_To_v1_Event
import type { StoredForm } from '../../../machinery/kind.ts'
import type { CoreEvent, Event, KubernetesObject } from '../../../types.ts'

type Fields = Record<string, unknown>

// The fields that are named differently. All others have the same name in both forms.
const renamed: readonly (readonly [stored: string, shown: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
]

function rename(object: KubernetesObject, apiVersion: string, names: ReadonlyMap<string, string>): KubernetesObject {
  const renamedObject: Fields = { kind: 'Event', apiVersion }
  for (const [field, value] of Object.entries(object))
    if (field !== 'kind' && field !== 'apiVersion') renamedObject[names.get(field) ?? field] = value
  return renamedObject
}

const toShown = new Map(renamed)
const toStored = new Map(renamed.map(([stored, shown]) => [shown, stored]))

export const asCoreEvent = (event: Event) => rename(event, 'v1', toStored) as CoreEvent

export const storedEventForm: Omit<StoredForm<Event>, 'kind'> = {
  fromStored(stored) {
    const { reportingController, reportingInstance, ...event } = rename(stored, 'events.k8s.io/v1', toShown) as Event
    // Only the stored form writes them where they are empty.
    return { ...event, ...(reportingController && { reportingController }), ...(reportingInstance && { reportingInstance }) } as Event
  },
  toStored({ reportingController = '', reportingInstance = '', ...event }) {
    return asCoreEvent({ ...event, reportingController, reportingInstance } as Event)
  },
}
