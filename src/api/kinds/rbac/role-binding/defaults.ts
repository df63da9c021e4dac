// Kubernetes: pkg/apis/rbac/v1.SetDefaults_RoleBinding, SetDefaults_ClusterRoleBinding, SetDefaults_Subject
import { replaceFields } from '../../../machinery/fields.ts'
import type { ClusterRoleBinding, RoleBinding, Writable } from '../../../types.ts'

const group = 'rbac.authorization.k8s.io'

/** The defaults of RoleBindings and ClusterRoleBindings. */
export function defaultRoleBinding(binding: Writable<RoleBinding | ClusterRoleBinding>): void {
  if (binding.roleRef && !binding.roleRef.apiGroup) binding.roleRef = replaceFields('rbac.RoleRef', binding.roleRef, { apiGroup: group })
  if (binding.subjects)
    binding.subjects = binding.subjects.map((subject) =>
      !subject.apiGroup && (subject.kind === 'User' || subject.kind === 'Group')
        ? replaceFields('rbac.Subject', subject, { apiGroup: group })
        : subject,
    )
}
