import { expect, it } from 'vitest'
import { Slots } from './slots.ts'

it('lets another run go on while one waits', async () => {
  const slots = new Slots(1)
  const log: string[] = []
  let endWait = () => {}
  const waiting = new Promise<void>((resolve) => {
    endWait = resolve
  })
  await slots.acquire()
  const second = slots.acquire().then(() => {
    log.push('the second runs')
    endWait()
  })
  await Promise.resolve()
  expect(log).toEqual([])
  const first = slots.without(() => waiting).then(() => log.push('the first goes on'))
  await second
  await Promise.resolve()
  expect(log).toEqual(['the second runs'])
  slots.release()
  await first
  expect(log).toEqual(['the second runs', 'the first goes on'])
})
