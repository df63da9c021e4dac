// The types of autoscaling/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const autoscaling = {
  Scale: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'autoscaling.ScaleSpec #2',
    status: 'autoscaling.ScaleStatus #3',
  },
  ScaleSpec: {
    replicas: 'int32 default=0 #1',
  },
  ScaleStatus: {
    replicas: 'int32 always required #1',
    selector: 'string #2',
  },
} as const
