// Kubernetes: pkg/registry/authentication/selfsubjectreview.REST.*
import { reviewKind } from '../../../machinery/review.ts'

export const selfSubjectReviews = reviewKind('authentication.SelfSubjectReview')
