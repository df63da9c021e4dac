// The two kinds of Event are one storage: core/v1 is what is stored, events.k8s.io/v1 is how it is shown.

import type { Kind } from '../../api/kind.ts'
import { coreEvents, events } from '../../api/kinds.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { View } from './entry.ts'

type Fields = Record<string, unknown>

// What the two call differently; the rest has one name in both.
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

const eventView: View = {
  storedAs: coreEvents as unknown as Kind,
  fromStored: (stored) => rename(stored, 'events.k8s.io/v1', toShown),
  toStored: (object) => rename(object, 'v1', toStored),
}

/** How the kind is read out of a storage that it shares; undefined for what is stored as it is. */
export function viewOf(kind: Kind): View | undefined {
  return kind === (events as unknown as Kind) ? eventView : undefined
}
