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
  types: {
    'core.Namespace': {
      $typeMeta: 'object',
      spec: 'core.NamespaceSpec #2',
      status: 'core.NamespaceStatus #3',
    },
    'core.NamespaceSpec': {
      finalizers: '[]string list=atomic goType=[]v1.FinalizerName #1',
    },
    'core.NamespaceStatus': {
      phase: 'string goType=v1.NamespacePhase #1',
      conditions: '[]core.NamespaceCondition patch=merge mergeKey=type list=map keys=type #2',
    },
    'core.NamespaceCondition': {
      type: 'string always required goType=v1.NamespaceConditionType #1',
      status: 'string always required goType=v1.ConditionStatus #2',
      lastTransitionTime: 'Time #4',
      reason: 'string #5',
      message: 'string #6',
    },
  },
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
