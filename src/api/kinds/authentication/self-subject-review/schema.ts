import type { Types } from '../../../machinery/schema/schema.ts'

export const selfSubjectReviewTypes: Types = {
  'authentication.SelfSubjectReview': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    status: 'authentication.SelfSubjectReviewStatus #2',
  },
  'authentication.SelfSubjectReviewStatus': {
    userInfo: 'authentication.UserInfo #1',
  },
}
