// The types of policy/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const policy = {
  PodDisruptionBudget: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta',
    spec: 'policy.PodDisruptionBudgetSpec',
    status: 'policy.PodDisruptionBudgetStatus',
  },
  PodDisruptionBudgetSpec: {
    minAvailable: '*IntOrString',
    selector: '*meta.LabelSelector patch=replace',
    maxUnavailable: '*IntOrString',
    unhealthyPodEvictionPolicy: '*string',
  },
  PodDisruptionBudgetStatus: {
    observedGeneration: 'int64',
    disruptedPods: 'map Time',
    disruptionsAllowed: 'int32 always',
    currentHealthy: 'int32 always',
    desiredHealthy: 'int32 always',
    expectedPods: 'int32 always',
    conditions: '[]meta.Condition patch=merge mergeKey=type list=map keys=type',
  },
  Eviction: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta',
    deleteOptions: '*meta.DeleteOptions',
  },
} as const
