// Kubernetes: pkg/registry/authentication/tokenreview.REST.*
import { reviewKind } from '../../../machinery/schema/resource.ts'

export const tokenReviews = reviewKind('authentication.TokenReview')
