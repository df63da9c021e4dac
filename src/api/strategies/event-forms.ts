// An event has two forms. They say the same under other names.
import type { CoreEvent, Event } from '../types.ts'

export function asCoreEvent(event: Event): CoreEvent {
  const {
    regarding,
    note,
    deprecatedSource,
    deprecatedFirstTimestamp,
    deprecatedLastTimestamp,
    deprecatedCount,
    reportingController,
    ...rest
  } = event
  return {
    ...rest,
    metadata: event.metadata ?? {},
    involvedObject: regarding ?? {},
    ...(note !== undefined && { message: note }),
    ...(deprecatedSource !== undefined && { source: deprecatedSource }),
    ...(deprecatedFirstTimestamp !== undefined && { firstTimestamp: deprecatedFirstTimestamp }),
    ...(deprecatedLastTimestamp !== undefined && { lastTimestamp: deprecatedLastTimestamp }),
    ...(deprecatedCount !== undefined && { count: deprecatedCount }),
    ...(reportingController !== undefined && { reportingComponent: reportingController }),
  }
}
