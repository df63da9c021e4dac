import type { Types } from '../../../machinery/schema/schema.ts'

export const selfSubjectAccessReviewTypes: Types = {
  'authorization.SelfSubjectAccessReview': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'authorization.SelfSubjectAccessReviewSpec always required #2',
    status: 'authorization.SubjectAccessReviewStatus #3',
  },
  'authorization.SelfSubjectAccessReviewSpec': {
    resourceAttributes: '*authorization.ResourceAttributes #1',
    nonResourceAttributes: '*authorization.NonResourceAttributes #2',
  },
}
