import type { BodyKind } from '../../../machinery/scheme.ts'

/** The body of the token subresource of service accounts. */
export const tokenRequestKind: BodyKind = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenRequest',
  type: 'authentication.TokenRequest',
  types: {
    'authentication.TokenRequest': {
      $typeMeta: 'object',
      spec: 'authentication.TokenRequestSpec always #2',
      status: 'authentication.TokenRequestStatus #3',
    },
    'authentication.TokenRequestSpec': {
      audiences: '[]string always list=atomic #1',
      expirationSeconds: '*int64 always #4',
      boundObjectRef: '*authentication.BoundObjectReference always #3',
    },
    'authentication.BoundObjectReference': {
      kind: 'string #1',
      apiVersion: 'string #2',
      name: 'string #3',
      uid: 'string goType=types.UID #4',
    },
    'authentication.TokenRequestStatus': {
      token: 'string always #1',
      expirationTimestamp: 'Time always #2',
    },
  },
}
