import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { FlowSchema } from '../../../types.ts'
import { defaultFlowSchema } from './defaults.ts'
import { validateFlowSchema } from './validation.ts'

export const flowSchemaStrategy: Strategy<FlowSchema> = {
  names: 'dns-subdomain',
  generation: true,
  default: defaultFlowSchema,
  ...ownStatus('flowcontrol.FlowSchemaStatus'),
  validate: validateFlowSchema,
  validateUpdate: (next) => validateFlowSchema(next),
}
