// Kubernetes: pkg/registry/core/serviceaccount/storage.TokenREST.*
import type { BodyKind } from '../../../machinery/scheme.ts'

/** The body of the token subresource of service accounts. */
export const tokenRequestKind: BodyKind = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenRequest',
  type: 'authentication.TokenRequest',
}
