// Ours: plans carry events as data.
/** An Event that a plan requests. */
export interface PlannedEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

export const normal = (reason: string, message: string): PlannedEvent => ({ type: 'Normal', reason, message })
export const warning = (reason: string, message: string): PlannedEvent => ({ type: 'Warning', reason, message })
