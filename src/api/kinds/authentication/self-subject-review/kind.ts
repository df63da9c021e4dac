// Kubernetes: pkg/registry/authentication/selfsubjectreview.REST.*
import { reviewKind } from '../../../machinery/schema/resource.ts'

export const selfSubjectReviews = reviewKind('authentication.SelfSubjectReview')
