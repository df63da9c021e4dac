// The types of authentication/v1, a line a field: type, then flags. The form is described in ./schema.ts.
export const authentication = {
  TokenReview: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'authentication.TokenReviewSpec always required #2',
    status: 'authentication.TokenReviewStatus #3',
  },
  TokenReviewSpec: {
    token: 'string required #1',
    audiences: '[]string list=atomic #2',
  },
  TokenReviewStatus: {
    authenticated: 'bool #1',
    user: 'authentication.UserInfo #2',
    audiences: '[]string list=atomic #4',
    error: 'string #3',
  },
  UserInfo: {
    username: 'string #1',
    uid: 'string #2',
    groups: '[]string list=atomic #3',
    extra: 'map []string #4',
  },
  SelfSubjectReview: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    status: 'authentication.SelfSubjectReviewStatus #2',
  },
  SelfSubjectReviewStatus: {
    userInfo: 'authentication.UserInfo #1',
  },
  TokenRequest: {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'authentication.TokenRequestSpec always #2',
    status: 'authentication.TokenRequestStatus #3',
  },
  TokenRequestSpec: {
    audiences: '[]string always list=atomic #1',
    expirationSeconds: '*int64 always #4',
    boundObjectRef: '*authentication.BoundObjectReference always #3',
  },
  BoundObjectReference: {
    kind: 'string #1',
    apiVersion: 'string #2',
    name: 'string #3',
    uid: 'string #4',
  },
  TokenRequestStatus: {
    token: 'string always #1',
    expirationTimestamp: 'Time always #2',
  },
} as const
