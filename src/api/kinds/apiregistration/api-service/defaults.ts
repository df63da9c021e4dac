import { fill } from '../../../machinery/fields.ts'
import type { ApiService, Writable } from '../../../types.ts'

export function defaultApiService({ spec }: Writable<ApiService>): void {
  if (spec?.service) spec.service = fill('apiregistration.ServiceReference', spec.service, { port: 443 })
}
