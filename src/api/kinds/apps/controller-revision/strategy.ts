import type { Strategy } from '../../../machinery/kind.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { ControllerRevision } from '../../../types.ts'
import { validateControllerRevision, validateControllerRevisionUpdate } from './validation.ts'

export const controllerRevisionStrategy: Strategy<ControllerRevision> = {
  names: 'dns-subdomain',
  validate: validateControllerRevision,
  validateUpdate: andAsNew('namespaced', 'dns-subdomain', validateControllerRevisionUpdate),
}
