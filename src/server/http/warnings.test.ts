import { describe, expect, it } from 'vitest'
import { Warnings } from './warnings.ts'

function headersOf(...sentences: string[]) {
  const warnings = new Warnings()
  for (const one of sentences) warnings.add(one)
  return warnings.headers()
}

describe('Warnings', () => {
  it('escapes quotes and backslashes', () => {
    expect(headersOf('unknown field "a\\b"')).toEqual(['299 - "unknown field \\"a\\\\b\\""'])
  })

  it('says a sentence once, and none with control characters', () => {
    expect(headersOf('a', 'a', 'b\r\nx: y')).toEqual(['299 - "a"'])
    expect(headersOf()).toBeUndefined()
  })

  it('cuts every sentence when together they are too long', () => {
    const headers = headersOf('a'.repeat(4000), 'b'.repeat(200))!
    expect(headers).toEqual([`299 - "${'a'.repeat(256)}"`, `299 - "${'b'.repeat(200)}"`])
    expect(headersOf(...Array.from({ length: 100 }, (_, i) => `${i}`.padEnd(300, 'x')))).toHaveLength(16)
  })

  it('keeps no more than it sends', () => {
    const warnings = new Warnings()
    const long = 'é'.repeat(5_000_000)
    for (let index = 0; index < 1_000_000; index++) warnings.add(`${index} ${long}`)
    expect(warnings.headers()).toHaveLength(16)
  })

  it('keeps a long sentence that is alone', () => {
    expect(headersOf('a'.repeat(4096))![0]).toHaveLength('299 - ""'.length + 4096)
  })
})
