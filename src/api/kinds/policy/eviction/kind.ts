// Kubernetes: pkg/registry/core/pod/storage.EvictionREST.*
import type { BodyKind } from '../../../machinery/scheme.ts'

/** The body of the eviction subresource of pods. */
export const evictionKind: BodyKind = {
  group: 'policy',
  version: 'v1',
  kind: 'Eviction',
  type: 'policy.Eviction',
  otherVersions: [{ group: 'policy', version: 'v1beta1' }],
}
