// The types of authorization/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const authorization = {
  SelfSubjectAccessReview: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta',
    spec: 'authorization.SelfSubjectAccessReviewSpec always required',
    status: 'authorization.SubjectAccessReviewStatus',
  },
  SelfSubjectAccessReviewSpec: {
    resourceAttributes: '*authorization.ResourceAttributes',
    nonResourceAttributes: '*authorization.NonResourceAttributes',
  },
  ResourceAttributes: {
    namespace: 'string',
    verb: 'string',
    group: 'string',
    version: 'string',
    resource: 'string',
    subresource: 'string',
    name: 'string',
    fieldSelector: '*authorization.FieldSelectorAttributes',
    labelSelector: '*authorization.LabelSelectorAttributes',
  },
  FieldSelectorAttributes: {
    rawSelector: 'string',
    requirements: '[]meta.FieldSelectorRequirement list=atomic',
  },
  LabelSelectorAttributes: {
    rawSelector: 'string',
    requirements: '[]meta.LabelSelectorRequirement list=atomic',
  },
  NonResourceAttributes: {
    path: 'string',
    verb: 'string',
  },
  SubjectAccessReviewStatus: {
    allowed: 'bool always required',
    denied: 'bool',
    reason: 'string',
    evaluationError: 'string',
  },
  SubjectAccessReview: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta',
    spec: 'authorization.SubjectAccessReviewSpec always required',
    status: 'authorization.SubjectAccessReviewStatus',
  },
  SubjectAccessReviewSpec: {
    resourceAttributes: '*authorization.ResourceAttributes',
    nonResourceAttributes: '*authorization.NonResourceAttributes',
    user: 'string',
    groups: '[]string list=atomic',
    extra: 'map []string',
    uid: 'string',
  },
  LocalSubjectAccessReview: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta',
    spec: 'authorization.SubjectAccessReviewSpec always required',
    status: 'authorization.SubjectAccessReviewStatus',
  },
  SelfSubjectRulesReview: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta',
    spec: 'authorization.SelfSubjectRulesReviewSpec always required',
    status: 'authorization.SubjectRulesReviewStatus',
  },
  SelfSubjectRulesReviewSpec: {
    namespace: 'string',
  },
  SubjectRulesReviewStatus: {
    resourceRules: '[]authorization.ResourceRule always list=atomic required',
    nonResourceRules: '[]authorization.NonResourceRule always list=atomic required',
    incomplete: 'bool always required',
    evaluationError: 'string',
  },
  ResourceRule: {
    verbs: '[]string always list=atomic required',
    apiGroups: '[]string list=atomic',
    resources: '[]string list=atomic',
    resourceNames: '[]string list=atomic',
  },
  NonResourceRule: {
    verbs: '[]string always list=atomic required',
    nonResourceURLs: '[]string list=atomic',
  },
} as const
