import type { Strategy } from '../../../machinery/kind.ts'
import type { ComponentStatus } from '../../../types.ts'

export const componentStatusStrategy: Strategy<ComponentStatus> = {
  names: 'any',
}
