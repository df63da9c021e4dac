// Kubernetes: pkg/registry/authorization/subjectaccessreview.REST.*
import { reviewKind } from '../../../machinery/review.ts'

export const subjectAccessReviews = reviewKind({
  group: 'authorization.k8s.io',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  type: 'authorization.SubjectAccessReview',
})
