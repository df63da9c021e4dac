import { reviewKind } from '../../../machinery/review.ts'

export const tokenReviews = reviewKind({
  group: 'authentication.k8s.io',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  type: 'authentication.TokenReview',
  types: {
    'authentication.TokenReview': {
      $typeMeta: 'object',
      spec: 'authentication.TokenReviewSpec always required #2',
      status: 'authentication.TokenReviewStatus #3',
    },
    'authentication.TokenReviewSpec': {
      token: 'string required #1',
      audiences: '[]string list=atomic #2',
    },
    'authentication.TokenReviewStatus': {
      authenticated: 'bool #1',
      user: 'authentication.UserInfo #2',
      audiences: '[]string list=atomic #4',
      error: 'string #3',
    },
    'authentication.UserInfo': {
      username: 'string #1',
      uid: 'string #2',
      groups: '[]string list=atomic #3',
      extra: 'map []string goType=map[string]v1.ExtraValue #4',
    },
  },
})
