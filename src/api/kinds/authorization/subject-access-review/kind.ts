// Kubernetes: pkg/registry/authorization/subjectaccessreview.REST.*
import { reviewKind } from '../../../machinery/review.ts'

export const subjectAccessReviews = reviewKind('authorization.SubjectAccessReview')
