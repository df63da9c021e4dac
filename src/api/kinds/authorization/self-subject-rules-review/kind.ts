// Kubernetes: pkg/registry/authorization/selfsubjectrulesreview.REST.*
import { reviewKind } from '../../../machinery/review.ts'

export const selfSubjectRulesReviews = reviewKind('authorization.SelfSubjectRulesReview')
