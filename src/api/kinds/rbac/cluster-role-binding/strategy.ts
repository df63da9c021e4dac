import type { Strategy } from '../../../machinery/kind.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { ClusterRoleBinding } from '../../../types.ts'
import { defaultRoleBinding } from '../role-binding/defaults.ts'
import { validateBinding, validateRoleRefUpdate } from '../role-binding/validation.ts'

const validate = (binding: ClusterRoleBinding) => validateBinding(binding, ['ClusterRole'], false)

export const clusterRoleBindingStrategy: Strategy<ClusterRoleBinding> = {
  names: 'path-segment',
  createOnUpdate: true,
  default: defaultRoleBinding,
  validate,
  validateUpdate: andAsNew('cluster', 'path-segment', (next, current) => [...validate(next), ...validateRoleRefUpdate(next, current)]),
}
