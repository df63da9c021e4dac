import type { Types } from '../../../machinery/schema/schema.ts'

export const subjectAccessReviewTypes: Types = {
  'authorization.ResourceAttributes': {
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
  'authorization.FieldSelectorAttributes': {
    rawSelector: 'string #1',
    requirements: '[]meta.FieldSelectorRequirement list=atomic #2',
  },
  'authorization.LabelSelectorAttributes': {
    rawSelector: 'string #1',
    requirements: '[]meta.LabelSelectorRequirement list=atomic #2',
  },
  'authorization.NonResourceAttributes': {
    path: 'string #1',
    verb: 'string #2',
  },
  'authorization.SubjectAccessReviewStatus': {
    allowed: 'bool always required #1',
    denied: 'bool #4',
    reason: 'string #2',
    evaluationError: 'string #3',
  },
  'authorization.SubjectAccessReview': {
    $typeMeta: 'object',
    spec: 'authorization.SubjectAccessReviewSpec always required #2',
    status: 'authorization.SubjectAccessReviewStatus #3',
  },
  'authorization.SubjectAccessReviewSpec': {
    resourceAttributes: '*authorization.ResourceAttributes #1',
    nonResourceAttributes: '*authorization.NonResourceAttributes #2',
    user: 'string #3',
    groups: '[]string list=atomic #4',
    extra: 'map []string goType=map[string]v1.ExtraValue #5',
    uid: 'string #6',
  },
}
