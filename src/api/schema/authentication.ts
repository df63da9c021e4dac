// The types of authentication/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const authentication = {
  TokenReview: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta',
    spec: 'authentication.TokenReviewSpec always required',
    status: 'authentication.TokenReviewStatus',
  },
  TokenReviewSpec: {
    token: 'string required',
    audiences: '[]string list=atomic',
  },
  TokenReviewStatus: {
    authenticated: 'bool',
    user: 'authentication.UserInfo',
    audiences: '[]string list=atomic',
    error: 'string',
  },
  UserInfo: {
    username: 'string',
    uid: 'string',
    groups: '[]string list=atomic',
    extra: 'map []string',
  },
  SelfSubjectReview: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta',
    status: 'authentication.SelfSubjectReviewStatus',
  },
  SelfSubjectReviewStatus: {
    userInfo: 'authentication.UserInfo',
  },
  TokenRequest: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta',
    spec: 'authentication.TokenRequestSpec always',
    status: 'authentication.TokenRequestStatus',
  },
  TokenRequestSpec: {
    audiences: '[]string always list=atomic',
    expirationSeconds: '*int64 always',
    boundObjectRef: '*authentication.BoundObjectReference always',
  },
  BoundObjectReference: {
    kind: 'string',
    apiVersion: 'string',
    name: 'string',
    uid: 'string',
  },
  TokenRequestStatus: {
    token: 'string always',
    expirationTimestamp: 'Time always',
  },
} as const
