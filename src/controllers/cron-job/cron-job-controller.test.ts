import { afterEach, describe, expect, it } from 'vitest'
import { cronJobs, jobs } from '../../api/kinds.ts'
import { failure } from '../../api/machinery/status-error.ts'
import type { CronJob, Job, Stored } from '../../api/types.ts'
import { formatTime, parseTime } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'
import { type ControllerBench, type ControllerBenchOptions, openControllerBench } from '../../cluster/testing/controller-bench.ts'
import { startCronJobController } from './cron-job-controller.ts'

let bench: ControllerBench
const open = async (options: Partial<ControllerBenchOptions> = {}) => {
  bench = await openControllerBench({ start: (parts) => startCronJobController(parts), ...options })
}
afterEach(async () => {
  await bench.stop()
  expect(bench.failures).toEqual([])
})

const place = { namespace: 'default', name: 'a' }
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } }
const create = (spec: object = {}) =>
  bench.client.create(cronJobs, 'default', {
    metadata: { name: 'a' },
    spec: { schedule: '*/10 * * * *', jobTemplate: { metadata: { labels: { app: 'x' } }, spec: { template } }, ...spec },
  } as CronJob)
const read = () => bench.client.get(cronJobs, place)
const patch = (change: object) => bench.client.patch(cronJobs, place, 'merge', change)
const made = async () => (await bench.client.list(jobs, { namespace: 'default' })).items
const names = async () => (await made()).map(({ metadata }) => metadata.name)
const pass = async (seconds: number) => {
  for (let left = seconds; left > 0; left -= 30) {
    bench.pass(Math.min(left, 30) * 1000)
    await bench.settle()
  }
}
const finish = ({ metadata }: Stored<Job>, type: 'Complete' | 'Failed') => {
  const time = formatTime(bench.clock.now())
  const interim = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget'
  const conditions = [interim, type].map((one) => ({ type: one, status: 'True', lastTransitionTime: time }))
  const status = { startTime: metadata.creationTimestamp, conditions, ...(type === 'Complete' && { completionTime: time }) }
  return bench.client.patch(jobs, { namespace: 'default', name: metadata.name }, 'merge', { status }, { subresource: 'status' })
}
// The bench begins at 12:00 sharp.
const minute = (time: string) => parseTime(`2026-11-01T${time}:00Z`) / 60_000

describe('the CronJob controller', () => {
  it('creates a Job for each run and lists the active ones', async () => {
    await open()
    const { metadata } = await create({ timeZone: 'Asia/Tokyo' })
    await bench.settle()
    expect(await names()).toEqual([])
    await pass(601)
    expect(await names()).toEqual([`a-${minute('12:10')}`])
    const [job] = await made()
    expect(job?.metadata).toMatchObject({
      labels: { app: 'x' },
      annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-11-01T21:10:00+09:00' },
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'CronJob', name: 'a', uid: metadata.uid, controller: true, blockOwnerDeletion: true },
      ],
    })
    expect((await read()).status).toEqual({
      active: [
        {
          kind: 'Job',
          namespace: 'default',
          name: job?.metadata.name,
          uid: job?.metadata.uid,
          apiVersion: 'batch/v1',
          resourceVersion: job?.metadata.resourceVersion,
        },
      ],
      lastScheduleTime: '2026-11-01T12:10:00Z',
    })
    await pass(600)
    expect(await names()).toEqual([`a-${minute('12:10')}`, `a-${minute('12:20')}`])
    expect(await bench.events()).toEqual([
      `SuccessfulCreate: Created job a-${minute('12:10')}`,
      `SuccessfulCreate: Created job a-${minute('12:20')}`,
    ])
  })

  it('observes the end of Jobs, records the last success, and limits the history', async () => {
    await open()
    await create({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 })
    await pass(601)
    await finish((await made())[0]!, 'Complete')
    await bench.settle()
    const completedAt = formatTime(bench.clock.now())
    expect((await read()).status).toEqual({ lastScheduleTime: '2026-11-01T12:10:00Z', lastSuccessfulTime: completedAt })
    await pass(600)
    await finish((await made()).at(-1)!, 'Failed')
    await pass(600)
    await finish((await made()).at(-1)!, 'Complete')
    await bench.settle()
    expect(await names()).toEqual([`a-${minute('12:30')}`])
    expect((await bench.events()).filter((event) => !event.startsWith('SuccessfulCreate'))).toEqual([
      `SawCompletedJob: Saw completed job: a-${minute('12:10')}, condition: Complete`,
      `SuccessfulDelete: Deleted job a-${minute('12:20')}`,
      `SuccessfulDelete: Deleted job a-${minute('12:10')}`,
      `SawCompletedJob: Saw completed job: a-${minute('12:30')}, condition: Complete`,
    ])
  })

  it('starts nothing beside a running Job under Forbid, and replaces it under Replace', async () => {
    await open()
    await create({ concurrencyPolicy: 'Forbid' })
    await pass(1201)
    expect(await names()).toEqual([`a-${minute('12:10')}`])
    expect(await bench.events()).toContain(
      'JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid',
    )
    await patch({ spec: { concurrencyPolicy: 'Replace' } })
    await bench.settle()
    expect(await names()).toEqual([`a-${minute('12:20')}`])
    expect((await read()).status?.active?.map(({ name }) => name)).toEqual([`a-${minute('12:20')}`])
  })

  it('creates nothing while suspended, and makes up for the latest run afterwards', async () => {
    await open()
    await create({ suspend: true })
    await pass(1500)
    expect(await names()).toEqual([])
    await patch({ spec: { suspend: false } })
    await bench.settle()
    expect(await names()).toEqual([`a-${minute('12:20')}`])
  })

  it('does not make up for past times of a new schedule', async () => {
    await open()
    await create({ schedule: '0 0 1 1 *' })
    await pass(1500)
    await patch({ spec: { schedule: '*/10 * * * *' } })
    await bench.settle()
    expect(await names()).toEqual([])
    await pass(301)
    expect(await names()).toEqual([`a-${minute('12:30')}`])
  })

  it('reports a new schedule that has no next time', async () => {
    await open()
    await create()
    await pass(601)
    await patch({ spec: { schedule: '0 0 30 2 *' } })
    await bench.settle()
    expect(await bench.events()).toContain(
      'InvalidSchedule: invalid schedule: 0 0 30 2 * : time difference between two schedules is less than 1 second',
    )
  })

  it('forgets a Job that has vanished', async () => {
    await open()
    await create()
    await pass(601)
    await bench.client.delete(jobs, { namespace: 'default', name: `a-${minute('12:10')}` }, { propagationPolicy: 'Background' })
    await bench.settle()
    expect((await read()).status?.active).toBeUndefined()
    expect(await bench.events()).toContain(`MissingJob: Active job went missing: a-${minute('12:10')}`)
    await pass(60)
    expect(await names()).toEqual([])
  })

  it('finds a Job that it created before the status could not be written', async () => {
    let refusals = 1
    const wrapClient = (client: Client): Client => ({
      ...client,
      updateStatus(resource, object, options) {
        if (refusals-- > 0) return Promise.reject(failure(409, 'Conflict', 'another writer was faster'))
        return client.updateStatus(resource, object, options)
      },
    })
    await open({ wrapClient })
    await create()
    await pass(630)
    expect(await names()).toEqual([`a-${minute('12:10')}`])
    expect((await read()).status).toMatchObject({ active: [{ name: `a-${minute('12:10')}` }], lastScheduleTime: '2026-11-01T12:10:00Z' })
  })

  it('leaves a Job with that name and another owner alone', async () => {
    await open()
    await create()
    await bench.client.create(jobs, 'default', { metadata: { name: `a-${minute('12:10')}` }, spec: { template } } as Job)
    await pass(630)
    expect((await read()).status).toEqual({})
    await pass(600)
    expect((await read()).status?.lastScheduleTime).toBe('2026-11-01T12:20:00Z')
  })
})
