import { reviewKind } from '../../../machinery/review.ts'
import { tokenReviewTypes } from './schema.ts'

export const tokenReviews = reviewKind({
  group: 'authentication.k8s.io',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  type: 'authentication.TokenReview',
  types: tokenReviewTypes,
})
