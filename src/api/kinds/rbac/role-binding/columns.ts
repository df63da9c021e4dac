// The columns of RoleBindings and ClusterRoleBindings.
// Kubernetes: pkg/printers/internalversion.printRoleBinding, printClusterRoleBinding
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { ClusterRoleBinding, RoleBinding, RoleSubject } from '../../../types.ts'

export const bindingColumns = columnsOf<RoleBinding | ClusterRoleBinding>([
  nameColumn,
  text('Role', 'The role that the subjects get.', ({ roleRef }) => `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`),
  ageColumn,
  text('Users', 'The users among the subjects.', ({ subjects }) => subjectsCell(subjects, 'User', ({ name }) => name), 1),
  text('Groups', 'The groups among the subjects.', ({ subjects }) => subjectsCell(subjects, 'Group', ({ name }) => name), 1),
  text(
    'ServiceAccounts',
    'The service accounts among the subjects.',
    ({ subjects }) => subjectsCell(subjects, 'ServiceAccount', ({ namespace, name }) => `${namespace ?? ''}/${name}`),
    1,
  ),
])

const subjectsCell = (subjects: readonly RoleSubject[] | undefined, kind: string, show: (subject: RoleSubject) => string) =>
  (subjects ?? [])
    .filter((subject) => subject.kind === kind)
    .map(show)
    .join(', ')
