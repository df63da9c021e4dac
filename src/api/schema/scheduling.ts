// The types of scheduling/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const scheduling = {
  PriorityClass: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    value: 'int32 always #2',
    globalDefault: 'bool #3',
    description: 'string #4',
    preemptionPolicy: '*string #5',
  },
} as const
