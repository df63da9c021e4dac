import { reviewKind } from '../../../machinery/review.ts'

export const selfSubjectAccessReviews = reviewKind({
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  type: 'authorization.SelfSubjectAccessReview',
  types: {
    'authorization.SelfSubjectAccessReview': {
      $typeMeta: 'object',
      spec: 'authorization.SelfSubjectAccessReviewSpec always required #2',
      status: 'authorization.SubjectAccessReviewStatus #3',
    },
    'authorization.SelfSubjectAccessReviewSpec': {
      resourceAttributes: '*authorization.ResourceAttributes #1',
      nonResourceAttributes: '*authorization.NonResourceAttributes #2',
    },
  },
})
