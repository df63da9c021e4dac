import type { StoreEvent } from '../store.ts'

/** `put pods/a@2`, `delete pods/a@3`. */
export const eventNames = (events: readonly StoreEvent[]): string[] =>
  events.map(({ type, record }) => `${type} ${record.key}@${record.revision}`)
