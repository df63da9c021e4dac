// The columns of RoleBindings and ClusterRoleBindings.
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { ClusterRoleBinding, RoleBinding, RoleSubject } from '../../../types.ts'

export const bindingColumns: Columns<RoleBinding | ClusterRoleBinding> = {
  definitions: [
    nameColumn,
    text('Role', 'The role that the subjects get.'),
    ageColumn,
    text('Users', 'The users among the subjects.', 1),
    text('Groups', 'The groups among the subjects.', 1),
    text('ServiceAccounts', 'The service accounts among the subjects.', 1),
  ],
  cells: (binding, nowMs) => [
    nameOf(binding),
    `${binding.roleRef?.kind ?? ''}/${binding.roleRef?.name ?? ''}`,
    ageOf(binding, nowMs),
    subjectsCell(binding.subjects, 'User', ({ name }) => name),
    subjectsCell(binding.subjects, 'Group', ({ name }) => name),
    subjectsCell(binding.subjects, 'ServiceAccount', ({ namespace, name }) => `${namespace ?? ''}/${name}`),
  ],
}

const subjectsCell = (subjects: readonly RoleSubject[] | undefined, kind: string, show: (subject: RoleSubject) => string) =>
  (subjects ?? [])
    .filter((subject) => subject.kind === kind)
    .map(show)
    .join(', ')
