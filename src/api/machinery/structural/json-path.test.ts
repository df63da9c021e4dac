import { describe, expect, it } from 'vitest'
import { customColumns } from './columns.ts'
import { findJsonPath, parseJsonPath, workOfRow } from './json-path.ts'

const value = {
  spec: { replicas: 3, list: [{ name: 'a' }, { name: 'b', port: 5 }] },
  metadata: { annotations: { 'a.b': 'x' } },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Old', status: 'False' },
    ],
  },
}

const find = (path: string, object: unknown = value) => {
  const steps = parseJsonPath(path)
  return typeof steps === 'string' ? steps : findJsonPath(steps, object, workOfRow())
}

describe('findJsonPath()', () => {
  it.each([
    ['.spec.replicas', 3],
    ['.spec.missing', undefined],
    ['.metadata.annotations.a\\.b', 'x'],
    ['.status.conditions[?(@.type=="Old")].status', 'False'],
    ['.status.conditions[?( @.type == "Ready" )].status', 'True'],
    ['.status.conditions[?(@.reason)].status', undefined],
    ['.spec.list[?(@.port>=5)].name', 'b'],
    ['.spec.list[*].port', 5],
    ['.spec.list[1].name', 'b'],
    ['.spec.list[-1].name', 'b'],
    ['..name', 'a'],
    ['..port', 5],
    ['..*..status', 'True'],
    ['.spec.list[?(x)]', 'invalid filter x'],
  ])('%s: %s', (path, expected) => {
    expect(find(path)).toBe(expected)
  })

  it('visits a value once for each step, however many ways lead to it', () => {
    let deep: unknown = { end: true }
    for (let depth = 0; depth < 100; depth++) deep = { a: deep, b: [deep] }
    expect(find('..*..*..*..*..missing', deep)).toBeUndefined()
    expect(find('..*..*..*..*..end', deep)).toBe(true)
  })

  it('gives up where there is too much work, for all columns of a row together', () => {
    const wide = { list: Array.from({ length: 40_000 }, (_, index) => ({ index })) }
    const jsonPath = '.list[*].missing'
    const { cells } = customColumns([
      { name: 'one', type: 'string', jsonPath },
      { name: 'first', type: 'integer', jsonPath: '.list[0].index' },
      { name: 'two', type: 'string', jsonPath },
      { name: 'last', type: 'integer', jsonPath: '.list[0].index' },
    ])
    expect(cells(wide as never, 0)).toEqual(['', null, 0, null, null])
  })
})

describe('parseJsonPath()', () => {
  it('reads a filter in linear time', () => {
    expect(parseJsonPath(`.a[?(@${' '.repeat(1_000_000)})]`)).toHaveLength(2)
    expect(parseJsonPath(`.a[?(@.b${' '.repeat(1_000_000)}==${' '.repeat(1_000_000)})]`)).toHaveLength(2)
  })

  it('refuses filters that are nested too deep', () => {
    expect(parseJsonPath(`${'.a[?(@'.repeat(50_000)}${')]'.repeat(50_000)}`)).toBe('filters are nested too deep')
  })
})
