import type { Types } from '../../../machinery/schema/schema.ts'

export const namespaceTypes: Types = {
  'core.Namespace': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
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
}
