// Kubernetes: pkg/registry/authorization/localsubjectaccessreview.REST.*
import { reviewKind } from '../../../machinery/review.ts'

export const localSubjectAccessReviews = {
  ...reviewKind({
    group: 'authorization.k8s.io',
    kind: 'LocalSubjectAccessReview',
    plural: 'localsubjectaccessreviews',
    type: 'authorization.LocalSubjectAccessReview',
  }),
  namespaced: true,
}
