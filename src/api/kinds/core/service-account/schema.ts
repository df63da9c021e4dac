import type { Types } from '../../../machinery/schema/schema.ts'

export const serviceAccountTypes: Types = {
  'core.ServiceAccount': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    secrets: '[]core.ObjectReference patch=merge mergeKey=name list=map keys=name #2',
    imagePullSecrets: '[]core.LocalObjectReference list=atomic #3',
    automountServiceAccountToken: '*bool #4',
  },
}
