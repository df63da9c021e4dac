import type { Kind } from '../../../machinery/kind.ts'
import type { ControllerRevision } from '../../../types.ts'
import { controllerRevisionColumns } from './columns.ts'
import { controllerRevisionTypes } from './schema.ts'
import { controllerRevisionStrategy } from './strategy.ts'

export const controllerRevisions: Kind<ControllerRevision> = {
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  singular: 'controllerrevision',
  namespaced: true,
  type: 'apps.ControllerRevision',
  types: controllerRevisionTypes,
  strategy: controllerRevisionStrategy,
  columns: controllerRevisionColumns,
}
