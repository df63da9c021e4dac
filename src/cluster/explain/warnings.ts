// What Events of type Warning say about an object.
import type { CoreEvent, Stored } from '../../api/types.ts'

const timeOf = ({ series, lastTimestamp, eventTime, firstTimestamp }: CoreEvent): string =>
  series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? firstTimestamp ?? ''

const newestOf = (events: readonly Stored<CoreEvent>[]): Stored<CoreEvent> | undefined =>
  events.reduce<Stored<CoreEvent> | undefined>(
    (newest, event) => (newest === undefined || timeOf(event) >= timeOf(newest) ? event : newest),
    undefined,
  )

const about = (warnings: readonly Stored<CoreEvent>[], uid: string): readonly Stored<CoreEvent>[] =>
  warnings.filter(({ involvedObject, type }) => type === 'Warning' && involvedObject.uid === uid)

/** `Unhealthy: Readiness probe failed`. Undefined if there is none. */
export function newestWarning(warnings: readonly Stored<CoreEvent>[], uid: string): string | undefined {
  const event = newestOf(about(warnings, uid))
  return event && `${event.reason ?? 'Warning'}: ${event.message ?? ''}`
}

/** The last failure of a controller without a condition for it to create a pod; for an object that lacks pods. */
export function refusalIn(warnings: readonly Stored<CoreEvent>[], uid: string): readonly string[] {
  const event = newestOf(about(warnings, uid).filter(({ reason }) => reason === 'FailedCreate'))
  return event === undefined ? [] : [`FailedCreate: ${event.message ?? ''}`]
}
