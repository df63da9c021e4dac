// Kubernetes: pkg/printers/internalversion.printNamespace
// Kubernetes: pkg/registry/core/namespace.NamespaceToSelectableFields
// Kubernetes: pkg/apis/core/v1.AddFieldLabelConversionsForNamespace
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { Namespace } from '../../../types.ts'
import { namespaceStrategy } from './strategy.ts'

export const namespaces: Kind<Namespace> = {
  ...resource('core.Namespace'),
  strategy: namespaceStrategy,
  selectableFields: { 'status.phase': ({ status }) => status?.phase ?? '' },
  columns: columnsOf([
    nameColumn,
    text('Status', 'The status of the namespace: Active or Terminating.', ({ status }) => status?.phase ?? ''),
    ageColumn,
  ]),
  unknownFieldMessage: unsupportedField,
  returnsDeletedObject: true,
}
