import { reviewKind } from '../../../machinery/review.ts'
import { selfSubjectAccessReviewTypes } from './schema.ts'

export const selfSubjectAccessReviews = reviewKind({
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  type: 'authorization.SelfSubjectAccessReview',
  types: selfSubjectAccessReviewTypes,
})
