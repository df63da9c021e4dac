import type { FlowSchema, Writable } from '../../../types.ts'

export function defaultFlowSchema({ spec }: Writable<FlowSchema>): void {
  if (spec) spec.matchingPrecedence ||= 1000
}
