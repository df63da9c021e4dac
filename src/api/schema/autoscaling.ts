// The types of autoscaling/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const autoscaling = {
  Scale: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta',
    spec: 'autoscaling.ScaleSpec',
    status: 'autoscaling.ScaleStatus',
  },
  ScaleSpec: {
    replicas: 'int32 default=0',
  },
  ScaleStatus: {
    replicas: 'int32 always required',
    selector: 'string',
  },
} as const
