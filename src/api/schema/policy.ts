// The types of policy/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const policy = {
  PodDisruptionBudget: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'policy.PodDisruptionBudgetSpec #2',
    status: 'policy.PodDisruptionBudgetStatus #3',
  },
  PodDisruptionBudgetSpec: {
    minAvailable: '*IntOrString #1',
    selector: '*meta.LabelSelector patch=replace #2',
    maxUnavailable: '*IntOrString #3',
    unhealthyPodEvictionPolicy: '*string #4',
  },
  PodDisruptionBudgetStatus: {
    observedGeneration: 'int64 #1',
    disruptedPods: 'map Time #2',
    disruptionsAllowed: 'int32 always #3',
    currentHealthy: 'int32 always #4',
    desiredHealthy: 'int32 always #5',
    expectedPods: 'int32 always #6',
    conditions: '[]meta.Condition patch=merge mergeKey=type list=map keys=type #7',
  },
  Eviction: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    deleteOptions: '*meta.DeleteOptions #2',
  },
} as const
