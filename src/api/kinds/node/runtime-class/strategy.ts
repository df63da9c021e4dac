import type { Strategy } from '../../../machinery/kind.ts'
import type { RuntimeClass } from '../../../types.ts'

export const runtimeClassStrategy: Strategy<RuntimeClass> = {
  names: 'dns-subdomain',
  createOnUpdate: true,
  unconditionalUpdate: false,
}
