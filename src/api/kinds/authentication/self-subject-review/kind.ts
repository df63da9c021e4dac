// Kubernetes: pkg/registry/authentication/selfsubjectreview.REST.*
import { reviewKind } from '../../../machinery/review.ts'

export const selfSubjectReviews = reviewKind({
  group: 'authentication.k8s.io',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  type: 'authentication.SelfSubjectReview',
})
