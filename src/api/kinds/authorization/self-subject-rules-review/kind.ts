import { reviewKind } from '../../../machinery/review.ts'

export const selfSubjectRulesReviews = reviewKind({
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectRulesReview',
  plural: 'selfsubjectrulesreviews',
  type: 'authorization.SelfSubjectRulesReview',
  types: {
    'authorization.SelfSubjectRulesReview': {
      $typeMeta: 'object',
      spec: 'authorization.SelfSubjectRulesReviewSpec always required #2',
      status: 'authorization.SubjectRulesReviewStatus #3',
    },
    'authorization.SelfSubjectRulesReviewSpec': {
      namespace: 'string #1',
    },
    'authorization.SubjectRulesReviewStatus': {
      resourceRules: '[]authorization.ResourceRule always list=atomic required #1',
      nonResourceRules: '[]authorization.NonResourceRule always list=atomic required #2',
      incomplete: 'bool always required #3',
      evaluationError: 'string #4',
    },
    'authorization.ResourceRule': {
      verbs: '[]string always list=atomic required #1',
      apiGroups: '[]string list=atomic #2',
      resources: '[]string list=atomic #3',
      resourceNames: '[]string list=atomic #4',
    },
    'authorization.NonResourceRule': {
      verbs: '[]string always list=atomic required #1',
      nonResourceURLs: '[]string list=atomic #2',
    },
  },
})
