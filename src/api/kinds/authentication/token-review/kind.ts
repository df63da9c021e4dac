// Kubernetes: pkg/registry/authentication/tokenreview.REST.*
import { reviewKind } from '../../../machinery/review.ts'

export const tokenReviews = reviewKind('authentication.TokenReview')
