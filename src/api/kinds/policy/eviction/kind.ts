import type { BodyKind } from '../../../machinery/scheme.ts'
import { evictionTypes } from './schema.ts'

/** The body of the eviction subresource of pods. */
export const evictionKind: BodyKind = {
  group: 'policy',
  version: 'v1',
  kind: 'Eviction',
  type: 'policy.Eviction',
  types: evictionTypes,
  otherVersions: [{ group: 'policy', version: 'v1beta1' }],
}
