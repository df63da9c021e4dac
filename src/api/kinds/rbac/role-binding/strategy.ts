import type { Strategy } from '../../../machinery/kind.ts'
import type { RoleBinding } from '../../../types.ts'
import { defaultRoleBinding } from './defaults.ts'

export const roleBindingStrategy: Strategy<RoleBinding> = {
  names: 'path-segment',
  createOnUpdate: true,
  default: defaultRoleBinding,
}
