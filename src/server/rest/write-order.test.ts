import { describe, expect, it } from 'vitest'
import { WriteOrder } from './write-order.ts'

describe('WriteOrder', () => {
  it('runs the writes of one key one after the other, also after a failure, and those of other keys at once', async () => {
    const order = new WriteOrder()
    const log: string[] = []
    const write =
      (name: string, fails = false) =>
      async () => {
        log.push(`${name} starts`)
        await Promise.resolve()
        log.push(`${name} ends`)
        if (fails) throw new Error(name)
        return name
      }
    const results = await Promise.allSettled([
      order.run('a', write('a1', true)),
      order.run('a', write('a2')),
      order.run('b', write('b1')),
      order.run('a', write('a3')),
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
    expect(log.filter((one) => one.startsWith('a'))).toEqual(['a1 starts', 'a1 ends', 'a2 starts', 'a2 ends', 'a3 starts', 'a3 ends'])
    expect(log.indexOf('b1 starts')).toBeLessThan(log.indexOf('a1 ends'))
  })

  it('starts in the same turn when no other write is running', async () => {
    let started = false
    const run = new WriteOrder().run('a', async () => {
      started = true
    })
    expect(started).toBe(true)
    await run
  })
})
