import { describe, expect, it } from 'vitest'
import { SharedParts } from './shared-parts.ts'

const spec = (image: string) => ({ containers: [{ name: 'c', image }] })

describe('SharedParts', () => {
  it('gives one object for equal specs', () => {
    const specs = new SharedParts()
    const first = specs.share(spec('a'))
    expect(specs.share(spec('b'))).not.toBe(first)
    expect(specs.share(spec('a'))).toBe(first)
  })

  it('keeps the thousand that were used last', () => {
    const specs = new SharedParts()
    const [used, unused] = [specs.share(spec('used')), specs.share(spec('unused'))]
    for (let at = 0; at < 1023; at++) {
      specs.share(spec(`${at}`))
      specs.share(spec('used'))
    }
    expect(specs.share(spec('used'))).toBe(used)
    expect(specs.share(spec('unused'))).not.toBe(unused)
  })

  it('keeps no long ones', () => {
    const specs = new SharedParts()
    const long = spec('x'.repeat(20_000))
    expect(specs.share(long)).toBe(long)
    expect(specs.share({ ...long })).not.toBe(long)
  })
})
