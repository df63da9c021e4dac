import { reviewKind } from '../../../machinery/review.ts'

export const selfSubjectReviews = reviewKind({
  group: 'authentication.k8s.io',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  type: 'authentication.SelfSubjectReview',
  types: {
    'authentication.SelfSubjectReview': {
      $typeMeta: 'object',
      status: 'authentication.SelfSubjectReviewStatus #2',
    },
    'authentication.SelfSubjectReviewStatus': {
      userInfo: 'authentication.UserInfo #1',
    },
  },
})
