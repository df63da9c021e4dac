// Kubernetes: pkg/registry/authorization/selfsubjectaccessreview.REST.*
import { reviewKind } from '../../../machinery/schema/resource.ts'

export const selfSubjectAccessReviews = reviewKind('authorization.SelfSubjectAccessReview')
