import { fill } from '../../../machinery/fields.ts'
import type { IngressClass, Writable } from '../../../types.ts'

export function defaultIngressClass({ spec }: Writable<IngressClass>): void {
  if (spec?.parameters) spec.parameters = fill('networking.IngressClassParametersReference', spec.parameters, { scope: 'Cluster' })
}
