import type { Columns } from '../../../machinery/kind.ts'
import type { RoleBinding } from '../../../types.ts'
import { bindingColumns } from './binding-columns.ts'

export const roleBindingColumns: Columns<RoleBinding> = bindingColumns
