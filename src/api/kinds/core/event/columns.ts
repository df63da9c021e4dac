import { formatAge } from '../../../../base/human-duration.ts'
import { nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { CoreEvent } from '../../../types.ts'

export const eventColumns: Columns<CoreEvent> = {
  definitions: [
    text('Last Seen', 'The time since it last happened.'),
    text('Type', 'Normal, or a warning.'),
    text('Reason', 'What happened, in a word.'),
    text('Object', 'What it happened to.'),
    text('Subobject', 'What part of it.', 1),
    text('Source', 'Who reports it.', 1),
    text('Message', 'What happened, in a sentence.'),
    text('First Seen', 'The time since it first happened.', 1),
    text('Count', 'How often it happened.', 1),
    { ...nameColumn, priority: 1 },
  ],
  cells(event, nowMs) {
    const first = formatAge(event.firstTimestamp ?? event.eventTime, nowMs)
    const last = event.series
      ? formatAge(event.series.lastObservedTime, nowMs)
      : event.lastTimestamp
        ? formatAge(event.lastTimestamp, nowMs)
        : first
    const { kind = '', name = '', fieldPath = '' } = event.involvedObject ?? {}
    const component = event.source?.component || event.reportingComponent || ''
    const instance = event.source?.host || event.reportingInstance || ''
    return [
      last,
      event.type ?? '',
      event.reason ?? '',
      name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`,
      fieldPath,
      instance === '' ? component : `${component}, ${instance}`,
      (event.message ?? '').trim(),
      first,
      event.series ? (event.series.count ?? 0) : event.count || 1,
      nameOf(event),
    ]
  },
}
