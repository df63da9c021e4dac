import type { Types } from '../../../machinery/schema/schema.ts'

export const priorityLevelConfigurationTypes: Types = {
  'flowcontrol.PriorityLevelConfiguration': {
    $typeMeta: 'object',
    spec: 'flowcontrol.PriorityLevelConfigurationSpec #2',
    status: 'flowcontrol.PriorityLevelConfigurationStatus #3',
  },
  'flowcontrol.PriorityLevelConfigurationSpec': {
    type: 'string always required goType=v1.PriorityLevelEnablement #1',
    limited: '*flowcontrol.LimitedPriorityLevelConfiguration #2',
    exempt: '*flowcontrol.ExemptPriorityLevelConfiguration #3',
  },
  'flowcontrol.PriorityLevelConfigurationStatus': {
    conditions: '[]flowcontrol.PriorityLevelConfigurationCondition patch=merge mergeKey=type list=map keys=type #1',
  },
  'flowcontrol.LimitedPriorityLevelConfiguration': {
    nominalConcurrencyShares: '*int32 always #1',
    limitResponse: 'flowcontrol.LimitResponse #2',
    lendablePercent: '*int32 #3',
    borrowingLimitPercent: '*int32 #4',
  },
  'flowcontrol.ExemptPriorityLevelConfiguration': {
    nominalConcurrencyShares: '*int32 #1',
    lendablePercent: '*int32 #2',
  },
  'flowcontrol.PriorityLevelConfigurationCondition': {
    type: 'string goType=v1.PriorityLevelConfigurationConditionType #1',
    status: 'string goType=v1.ConditionStatus #2',
    lastTransitionTime: 'Time #3',
    reason: 'string #4',
    message: 'string #5',
  },
  'flowcontrol.LimitResponse': {
    type: 'string always required goType=v1.LimitResponseType #1',
    queuing: '*flowcontrol.QueuingConfiguration #2',
  },
  'flowcontrol.QueuingConfiguration': {
    queues: 'int32 always #1',
    handSize: 'int32 always #2',
    queueLengthLimit: 'int32 always #3',
  },
}
