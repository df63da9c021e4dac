import type { Strategy } from '../../../machinery/kind.ts'
import type { VolumeAttributesClass } from '../../../types.ts'

export const volumeAttributesClassStrategy: Strategy<VolumeAttributesClass> = {
  names: 'dns-subdomain',
}
