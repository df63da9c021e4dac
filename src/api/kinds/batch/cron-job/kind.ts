import type { Kind } from '../../../machinery/kind.ts'
import type { CronJob } from '../../../types.ts'
import { cronJobColumns } from './columns.ts'
import { cronJobTypes } from './schema.ts'
import { cronJobStrategy } from './strategy.ts'

export const cronJobs: Kind<CronJob> = {
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  namespaced: true,
  type: 'batch.CronJob',
  types: cronJobTypes,
  strategy: cronJobStrategy,
  subresources: { status: true },
  columns: cronJobColumns,
}
