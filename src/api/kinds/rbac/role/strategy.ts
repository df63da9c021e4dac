import type { Strategy } from '../../../machinery/kind.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { Role } from '../../../types.ts'
import { validateRole } from './validation.ts'

export const roleStrategy: Strategy<Role> = {
  names: 'path-segment',
  createOnUpdate: true,
  validate: validateRole,
  validateUpdate: andAsNew('namespaced', 'path-segment', validateRole),
}
