import { formatAge } from '../../../../base/human-duration.ts'
import {
  ageColumn,
  ageOf,
  boolean,
  containerCells,
  integer,
  nameColumn,
  nameOf,
  selectorCell,
  text,
  wideColumns,
} from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { CronJob } from '../../../types.ts'

export const cronJobColumns: Columns<CronJob> = {
  definitions: [
    nameColumn,
    text('Schedule', 'When it runs, in cron format.'),
    text('Timezone', 'The time zone of the schedule.'),
    boolean('Suspend', 'Whether no further jobs are started.'),
    integer('Active', 'How many of its jobs are running.'),
    text('Last Schedule', 'The time since it last started a job.'),
    ageColumn,
    ...wideColumns,
  ],
  cells: (cronJob, nowMs) => [
    nameOf(cronJob),
    cronJob.spec?.schedule ?? '',
    cronJob.spec?.timeZone ?? '<none>',
    cronJob.spec?.suspend === undefined ? '<unset>' : cronJob.spec.suspend ? 'True' : 'False',
    cronJob.status?.active?.length ?? 0,
    cronJob.status?.lastScheduleTime === undefined ? '<none>' : formatAge(cronJob.status.lastScheduleTime, nowMs),
    ageOf(cronJob, nowMs),
    ...containerCells(cronJob.spec?.jobTemplate?.spec?.template?.spec?.containers),
    selectorCell(cronJob.spec?.jobTemplate?.spec?.selector),
  ],
}
