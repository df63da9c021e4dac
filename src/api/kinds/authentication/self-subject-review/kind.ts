import { reviewKind } from '../../../machinery/review.ts'
import { selfSubjectReviewTypes } from './schema.ts'

export const selfSubjectReviews = reviewKind({
  group: 'authentication.k8s.io',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  type: 'authentication.SelfSubjectReview',
  types: selfSubjectReviewTypes,
})
