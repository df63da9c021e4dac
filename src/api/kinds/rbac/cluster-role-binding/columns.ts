import type { Columns } from '../../../machinery/kind.ts'
import type { ClusterRoleBinding } from '../../../types.ts'
import { bindingColumns } from '../role-binding/binding-columns.ts'

export const clusterRoleBindingColumns: Columns<ClusterRoleBinding> = bindingColumns
