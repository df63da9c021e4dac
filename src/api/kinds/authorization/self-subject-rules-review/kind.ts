// Kubernetes: pkg/registry/authorization/selfsubjectrulesreview.REST.*
import { reviewKind } from '../../../machinery/schema/resource.ts'

export const selfSubjectRulesReviews = reviewKind('authorization.SelfSubjectRulesReview')
