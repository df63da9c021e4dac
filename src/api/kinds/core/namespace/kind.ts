// Kubernetes: pkg/printers/internalversion.printNamespace
// Kubernetes: pkg/registry/core/namespace.NamespaceToSelectableFields
// Kubernetes: pkg/apis/core/v1.AddFieldLabelConversionsForNamespace
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { Namespace } from '../../../types.ts'
import { namespaceStrategy } from './strategy.ts'

export const namespaces: Kind<Namespace> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  type: 'core.Namespace',
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  strategy: namespaceStrategy,
  subresources: { status: true, others: [{ name: 'finalize', kind: 'Namespace', verbs: ['update'] }] },
  selectableFields: { 'status.phase': ({ status }) => status?.phase ?? '' },
  columns: columnsOf([
    nameColumn,
    text('Status', 'The status of the namespace: Active or Terminating.', ({ status }) => status?.phase ?? ''),
    ageColumn,
  ]),
  unknownFieldMessage: unsupportedField,
  returnsDeletedObject: true,
}
