import type { Strategy } from '../../../machinery/kind.ts'
import { ipWarnings } from '../../../machinery/validation/ip-warnings.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { Endpoints } from '../../../types.ts'
import { defaultEndpoints } from './defaults.ts'
import { validateEndpoints, validateEndpointsUpdate } from './validation.ts'

export const endpointsStrategy: Strategy<Endpoints> = {
  names: 'dns-subdomain',
  createOnUpdate: true,
  default: defaultEndpoints,
  validate: validateEndpoints,
  validateUpdate: andAsNew('namespaced', 'dns-subdomain', validateEndpointsUpdate),
  warnings(endpoints) {
    if (endpoints.metadata?.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return []
    return (endpoints.subsets ?? []).flatMap(({ addresses, notReadyAddresses }, i) => [
      ...(addresses ?? []).flatMap(({ ip }, j) => ipWarnings(`subsets[${i}].addresses[${j}].ip`, ip)),
      ...(notReadyAddresses ?? []).flatMap(({ ip }, j) => ipWarnings(`subsets[${i}].notReadyAddresses[${j}].ip`, ip)),
    ])
  },
}
