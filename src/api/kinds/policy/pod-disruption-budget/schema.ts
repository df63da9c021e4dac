import type { Types } from '../../../machinery/schema/schema.ts'

export const podDisruptionBudgetTypes: Types = {
  'policy.PodDisruptionBudget': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'policy.PodDisruptionBudgetSpec #2',
    status: 'policy.PodDisruptionBudgetStatus #3',
  },
  'policy.PodDisruptionBudgetSpec': {
    minAvailable: '*IntOrString #1',
    selector: '*meta.LabelSelector patch=replace #2',
    maxUnavailable: '*IntOrString #3',
    unhealthyPodEvictionPolicy: '*string goType=v1.UnhealthyPodEvictionPolicyType #4',
  },
  'policy.PodDisruptionBudgetStatus': {
    observedGeneration: 'int64 #1',
    disruptedPods: 'map Time goType=map[string]v1.Time #2',
    disruptionsAllowed: 'int32 always #3',
    currentHealthy: 'int32 always #4',
    desiredHealthy: 'int32 always #5',
    expectedPods: 'int32 always #6',
    conditions: '[]meta.Condition patch=merge mergeKey=type list=map keys=type #7',
  },
}
