import type { Strategy } from '../../../machinery/kind.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { RoleBinding } from '../../../types.ts'
import { defaultRoleBinding } from './defaults.ts'
import { validateRoleBinding, validateRoleRefUpdate } from './validation.ts'

export const roleBindingStrategy: Strategy<RoleBinding> = {
  names: 'path-segment',
  createOnUpdate: true,
  default: defaultRoleBinding,
  validate: validateRoleBinding,
  validateUpdate: andAsNew('namespaced', 'path-segment', (next, current) => [
    ...validateRoleBinding(next),
    ...validateRoleRefUpdate(next, current),
  ]),
}
