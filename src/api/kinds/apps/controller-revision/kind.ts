import type { Kind } from '../../../machinery/kind.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { ControllerRevision } from '../../../types.ts'
import { controllerRevisionColumns } from './columns.ts'
import { controllerRevisionTypes } from './schema.ts'
import { validateControllerRevision, validateControllerRevisionUpdate } from './validation.ts'

export const controllerRevisions: Kind<ControllerRevision> = {
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  namespaced: true,
  type: 'apps.ControllerRevision',
  types: controllerRevisionTypes,
  strategy: {
    names: 'dns-subdomain',
    validate: validateControllerRevision,
    validateUpdate: andAsNew('namespaced', 'dns-subdomain', validateControllerRevisionUpdate),
  },
  columns: controllerRevisionColumns,
}
