// Kubernetes: pkg/registry/authorization/localsubjectaccessreview.REST.*
import { reviewKind } from '../../../machinery/review.ts'

export const localSubjectAccessReviews = reviewKind('authorization.LocalSubjectAccessReview')
