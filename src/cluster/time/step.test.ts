import { describe, expect, it } from 'vitest'
import type { Client } from '../../client/client.ts'
import { readGoal } from './step.ts'

describe('readGoal()', () => {
  it.each([
    ['web', 'cannot wait for "web": write KIND/NAME, such as deployment/web'],
    ['deployment/', 'cannot wait for "deployment/": write KIND/NAME'],
    ['deploymnet/web', 'cannot wait for "deploymnet/web": there is no kind "deploymnet"'],
  ])('refuses %s', (object, message) => expect(() => readGoal({} as Client, { object, condition: 'available' })).toThrow(message))
})
