import type { Strategy } from '../../../machinery/kind.ts'
import type { RuntimeClass } from '../../../types.ts'
import { validateRuntimeClass, validateRuntimeClassUpdate } from './validation.ts'

export const runtimeClassStrategy: Strategy<RuntimeClass> = {
  names: 'dns-subdomain',
  createOnUpdate: true,
  unconditionalUpdate: false,
  validate: validateRuntimeClass,
  validateUpdate: validateRuntimeClassUpdate,
}
