// Kubernetes: pkg/registry/authorization/localsubjectaccessreview.REST.*
import { reviewKind } from '../../../machinery/schema/resource.ts'

export const localSubjectAccessReviews = reviewKind('authorization.LocalSubjectAccessReview')
