// Kubernetes: pkg/registry/authorization/selfsubjectrulesreview.REST.*
import { reviewKind } from '../../../machinery/review.ts'

export const selfSubjectRulesReviews = reviewKind({
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectRulesReview',
  plural: 'selfsubjectrulesreviews',
  type: 'authorization.SelfSubjectRulesReview',
})
