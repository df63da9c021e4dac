// The types of scheduling/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const scheduling = {
  PriorityClass: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta',
    value: 'int32 always',
    globalDefault: 'bool',
    description: 'string',
    preemptionPolicy: '*string',
  },
} as const
