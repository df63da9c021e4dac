import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { withConfiguration } from './configuration.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollcall-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (text: string) => {
  const file = join(folder, 'rollcall.yaml')
  writeFileSync(file, text)
  return file
}

describe('withConfiguration()', () => {
  it('takes defaults that the command line does not give', async () => {
    const file = write(`simulate:
  nodes: 5x4cpu16Gi
  stop: 45s±15s
  policies: [None, TerminationComplete]
  expect: peakPods <= 13
  price: [4cpu16Gi=0.19/h]
  autoscale: true
  runs: 20
`)
    const { options, note } = await withConfiguration({ stop: '5s' }, file)
    expect(options).toEqual({
      nodes: '5x4cpu16Gi',
      stop: '5s',
      policies: 'None,TerminationComplete',
      expect: ['peakPods <= 13'],
      price: ['4cpu16Gi=0.19/h'],
      autoscale: true,
      runs: 20,
    })
    expect(note).toBe(`--nodes, --policies, --expect, --price, --autoscale, --runs of ${file}`)
  })

  it.each([
    ['an unknown field', 'simulate:\n  node: 3\n', /node/],
    ['an unknown section', 'simulation: {}\n', /simulation/],
    ['a wrong number', 'simulate: { runs: many }\n', /many|whole/],
    ['no runs', 'simulate: { runs: 0 }\n', /runs must be a whole number from 1 to 10000, not 0/],
    ['too many threads', 'simulate: { workers: 65 }\n', /workers must be a whole number from 0 to 64/],
    ['a wrong flag', 'simulate: { strict: 7 }\n', /true or false/],
    ['a second document', 'simulate: { runs: 2 }\n---\nsimulate: { runs: 3 }\n', /several documents/],
    ['no YAML', 'simulate: [\n', /not YAML/],
  ])('refuses %s', async (_, text, message) => {
    await expect(withConfiguration({}, write(text))).rejects.toThrow(message)
  })

  it('takes nothing from an empty file, and refuses one that is not there', async () => {
    expect(await withConfiguration({ seed: 3 }, write(''))).toEqual({ options: { seed: 3 } })
    await expect(withConfiguration({}, join(folder, 'nosuch.yaml'))).rejects.toThrow('no such file')
  })
})
