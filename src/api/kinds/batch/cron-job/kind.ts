// Kubernetes: pkg/printers/internalversion.printCronJob
import { formatAge } from '../../../../base/human-duration.ts'
import {
  ageColumn,
  boolean,
  columnsOf,
  containerColumns,
  integer,
  nameColumn,
  selectorCell,
  selectorColumn,
  text,
} from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { CronJob } from '../../../types.ts'
import { cronJobStrategy } from './strategy.ts'

export const cronJobs: Kind<CronJob> = {
  ...resource('batch.CronJob'),
  strategy: cronJobStrategy,
  columns: columnsOf([
    nameColumn,
    text('Schedule', 'When it runs, in cron format.', ({ spec }) => spec?.schedule ?? ''),
    text('Timezone', 'The time zone of the schedule.', ({ spec }) => spec?.timeZone ?? '<none>'),
    boolean('Suspend', 'Whether no further jobs are started.', ({ spec }) =>
      spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
    ),
    integer('Active', 'How many of its jobs are running.', ({ status }) => status?.active?.length ?? 0),
    text('Last Schedule', 'The time since it last started a job.', ({ status }, nowMs) =>
      status?.lastScheduleTime === undefined ? '<none>' : formatAge(status.lastScheduleTime, nowMs),
    ),
    ageColumn,
    ...containerColumns<CronJob>(({ spec }) => spec?.jobTemplate?.spec?.template?.spec?.containers),
    selectorColumn(({ spec }) => selectorCell(spec?.jobTemplate?.spec?.selector)),
  ]),
}
