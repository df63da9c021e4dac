import { describe, expect, it } from 'vitest'
import type { Pod, Stored } from '../api/types.ts'
import type { Clock } from '../base/clock.ts'
import { PodTokens } from './pod-tokens.ts'

const podOf = (uid: string) => ({ metadata: { name: 'web', namespace: 'shop', uid } }) as Stored<Pod>

describe('PodTokens', () => {
  it('issues a token when it is first read, and again when 80 % of its lifetime, or a day, have passed', () => {
    let nowMs = 0
    const clock: Pick<Clock, 'now'> = { now: () => nowMs }
    let count = 0
    const tokens = new PodTokens(
      clock as Clock,
      (pod, audience, seconds) => `${pod.metadata.uid} ${audience ?? '-'} ${seconds} #${++count}`,
    )
    const at = (seconds: number, uid: string, audience: string | undefined, expirationSeconds: number) => {
      nowMs = seconds * 1000
      return tokens.read(podOf(uid), audience, expirationSeconds)
    }
    expect(at(0, 'a', undefined, 1000)).toBe('a - 1000 #1')
    expect(at(799, 'a', undefined, 1000)).toBe('a - 1000 #1')
    expect(at(800, 'a', undefined, 1000)).toBe('a - 1000 #2')
    expect(at(800, 'a', 'vault', 1000)).toBe('a vault 1000 #3')
    expect(at(800, 'b', undefined, 1000)).toBe('b - 1000 #4')
    expect(at(800, 'b', undefined, 10_000_000)).toBe('b - 10000000 #5')
    expect(at(800 + 86_399, 'b', undefined, 10_000_000)).toBe('b - 10000000 #5')
    expect(at(800 + 86_400, 'b', undefined, 10_000_000)).toBe('b - 10000000 #6')
    tokens.forget('a')
    expect(at(800, 'a', 'vault', 1000)).toBe('a vault 1000 #7')
  })

  it('keeps nothing where no token is issued', () => {
    const issued: (string | undefined)[] = [undefined, 'late']
    const tokens = new PodTokens({ now: () => 0 } as Clock, () => issued.shift())
    expect(tokens.read(podOf('a'), undefined, 600)).toBeUndefined()
    expect(tokens.read(podOf('a'), undefined, 600)).toBe('late')
  })
})
