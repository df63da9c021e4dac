import type { Kind } from '../../../machinery/kind.ts'
import type { Job } from '../../../types.ts'
import { jobColumns } from './columns.ts'
import { jobTypes } from './schema.ts'
import { jobStrategy } from './strategy.ts'

export const jobs: Kind<Job> = {
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  categories: ['all'],
  namespaced: true,
  type: 'batch.Job',
  types: jobTypes,
  strategy: jobStrategy,
  subresources: { status: true },
  selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
  columns: jobColumns,
  unknownFieldMessage: (field) => `field label ${JSON.stringify(field)} not supported for Job`,
}
