import { reviewKind } from '../../../machinery/review.ts'
import { localSubjectAccessReviewTypes } from './schema.ts'

export const localSubjectAccessReviews = {
  ...reviewKind({
    group: 'authorization.k8s.io',
    kind: 'LocalSubjectAccessReview',
    plural: 'localsubjectaccessreviews',
    type: 'authorization.LocalSubjectAccessReview',
    types: localSubjectAccessReviewTypes,
  }),
  namespaced: true,
}
