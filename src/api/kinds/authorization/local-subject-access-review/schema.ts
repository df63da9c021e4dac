import type { Types } from '../../../machinery/schema/schema.ts'

export const localSubjectAccessReviewTypes: Types = {
  'authorization.LocalSubjectAccessReview': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'authorization.SubjectAccessReviewSpec always required #2',
    status: 'authorization.SubjectAccessReviewStatus #3',
  },
}
