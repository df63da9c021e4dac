// Kubernetes: pkg/registry/authorization/subjectaccessreview.REST.*
import { reviewKind } from '../../../machinery/schema/resource.ts'

export const subjectAccessReviews = reviewKind('authorization.SubjectAccessReview')
