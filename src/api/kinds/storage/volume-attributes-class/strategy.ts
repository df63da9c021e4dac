import type { Strategy } from '../../../machinery/kind.ts'
import type { VolumeAttributesClass } from '../../../types.ts'
import { validateVolumeAttributesClass, validateVolumeAttributesClassUpdate } from './validation.ts'

export const volumeAttributesClassStrategy: Strategy<VolumeAttributesClass> = {
  names: 'dns-subdomain',
  validate: validateVolumeAttributesClass,
  validateUpdate: validateVolumeAttributesClassUpdate,
}
