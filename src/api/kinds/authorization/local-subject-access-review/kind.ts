import { reviewKind } from '../../../machinery/review.ts'

export const localSubjectAccessReviews = {
  ...reviewKind({
    group: 'authorization.k8s.io',
    kind: 'LocalSubjectAccessReview',
    plural: 'localsubjectaccessreviews',
    type: 'authorization.LocalSubjectAccessReview',
    types: {
      'authorization.LocalSubjectAccessReview': {
        $typeMeta: 'object',
        spec: 'authorization.SubjectAccessReviewSpec always required #2',
        status: 'authorization.SubjectAccessReviewStatus #3',
      },
    },
  }),
  namespaced: true,
}
