// The types of authorization/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const authorization = {
  SelfSubjectAccessReview: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'authorization.SelfSubjectAccessReviewSpec always required #2',
    status: 'authorization.SubjectAccessReviewStatus #3',
  },
  SelfSubjectAccessReviewSpec: {
    resourceAttributes: '*authorization.ResourceAttributes #1',
    nonResourceAttributes: '*authorization.NonResourceAttributes #2',
  },
  ResourceAttributes: {
    namespace: 'string #1',
    verb: 'string #2',
    group: 'string #3',
    version: 'string #4',
    resource: 'string #5',
    subresource: 'string #6',
    name: 'string #7',
    fieldSelector: '*authorization.FieldSelectorAttributes #8',
    labelSelector: '*authorization.LabelSelectorAttributes #9',
  },
  FieldSelectorAttributes: {
    rawSelector: 'string #1',
    requirements: '[]meta.FieldSelectorRequirement list=atomic #2',
  },
  LabelSelectorAttributes: {
    rawSelector: 'string #1',
    requirements: '[]meta.LabelSelectorRequirement list=atomic #2',
  },
  NonResourceAttributes: {
    path: 'string #1',
    verb: 'string #2',
  },
  SubjectAccessReviewStatus: {
    allowed: 'bool always required #1',
    denied: 'bool #4',
    reason: 'string #2',
    evaluationError: 'string #3',
  },
  SubjectAccessReview: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'authorization.SubjectAccessReviewSpec always required #2',
    status: 'authorization.SubjectAccessReviewStatus #3',
  },
  SubjectAccessReviewSpec: {
    resourceAttributes: '*authorization.ResourceAttributes #1',
    nonResourceAttributes: '*authorization.NonResourceAttributes #2',
    user: 'string #3',
    groups: '[]string list=atomic #4',
    extra: 'map []string #5',
    uid: 'string #6',
  },
  LocalSubjectAccessReview: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'authorization.SubjectAccessReviewSpec always required #2',
    status: 'authorization.SubjectAccessReviewStatus #3',
  },
  SelfSubjectRulesReview: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'authorization.SelfSubjectRulesReviewSpec always required #2',
    status: 'authorization.SubjectRulesReviewStatus #3',
  },
  SelfSubjectRulesReviewSpec: {
    namespace: 'string #1',
  },
  SubjectRulesReviewStatus: {
    resourceRules: '[]authorization.ResourceRule always list=atomic required #1',
    nonResourceRules: '[]authorization.NonResourceRule always list=atomic required #2',
    incomplete: 'bool always required #3',
    evaluationError: 'string #4',
  },
  ResourceRule: {
    verbs: '[]string always list=atomic required #1',
    apiGroups: '[]string list=atomic #2',
    resources: '[]string list=atomic #3',
    resourceNames: '[]string list=atomic #4',
  },
  NonResourceRule: {
    verbs: '[]string always list=atomic required #1',
    nonResourceURLs: '[]string list=atomic #2',
  },
} as const
