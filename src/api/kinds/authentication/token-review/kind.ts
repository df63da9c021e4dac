// Kubernetes: pkg/registry/authentication/tokenreview.REST.*
import { reviewKind } from '../../../machinery/review.ts'

export const tokenReviews = reviewKind({
  group: 'authentication.k8s.io',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  type: 'authentication.TokenReview',
})
