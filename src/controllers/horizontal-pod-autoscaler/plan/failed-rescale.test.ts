import { expect, it } from 'vitest'
import { failedRescale } from './autoscale.ts'
import { emptyHistory } from './scaling-limits.ts'

it('a target that could not be scaled keeps its size and the time of its last scaling', () => {
  const lastScaleTime = '2026-11-01T00:00:00Z'
  const autoscaler = { spec: {}, status: { desiredReplicas: 2, lastScaleTime } } as never
  const status = { desiredReplicas: 4, currentReplicas: 2, lastScaleTime: '2026-11-01T01:00:00Z', currentMetrics: [], conditions: [] }
  const events = [{ type: 'Normal', reason: 'SuccessfulRescale', message: 'New size: 4; reason: cpu above target' }] as const
  const plan = { scaleTo: 4, reason: 'cpu above target', status, history: emptyHistory, events }
  const failed = failedRescale(autoscaler, plan as never, 'refused', Date.UTC(2026, 10, 1, 2))
  expect(failed.status).toMatchObject({
    desiredReplicas: 2,
    currentReplicas: 2,
    lastScaleTime,
    conditions: [
      {
        type: 'AbleToScale',
        status: 'False',
        reason: 'FailedUpdateScale',
        message: 'the HPA controller was unable to update the target scale: refused',
      },
    ],
  })
  expect(failed.events).toEqual([
    { type: 'Warning', reason: 'FailedRescale', message: 'New size: 4; reason: cpu above target; error: refused' },
  ])
})
