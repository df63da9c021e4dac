// Kubernetes: pkg/registry/authorization/selfsubjectaccessreview.REST.*
import { reviewKind } from '../../../machinery/review.ts'

export const selfSubjectAccessReviews = reviewKind('authorization.SelfSubjectAccessReview')
