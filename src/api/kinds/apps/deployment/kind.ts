import type { Kind } from '../../../machinery/kind.ts'
import type { Deployment } from '../../../types.ts'
import { selectorScale } from '../../autoscaling/scale/access.ts'
import { deploymentColumns } from './columns.ts'
import { deploymentTypes } from './schema.ts'
import { deploymentStrategy } from './strategy.ts'

export const deployments: Kind<Deployment> = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  shortNames: ['deploy'],
  categories: ['all'],
  namespaced: true,
  type: 'apps.Deployment',
  types: deploymentTypes,
  strategy: deploymentStrategy,
  subresources: { status: true, scale: selectorScale() },
  columns: deploymentColumns,
}
