import type { Strategy } from '../../../machinery/kind.ts'
import type { Role } from '../../../types.ts'

export const roleStrategy: Strategy<Role> = {
  names: 'path-segment',
  createOnUpdate: true,
}
