// Kubernetes: pkg/registry/authorization/selfsubjectaccessreview.REST.*
import { reviewKind } from '../../../machinery/review.ts'

export const selfSubjectAccessReviews = reviewKind({
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  type: 'authorization.SelfSubjectAccessReview',
})
