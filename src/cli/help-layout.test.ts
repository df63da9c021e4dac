import { describe, expect, it } from 'vitest'
import { allCommands, helpWidth, wrapHelp } from './help-layout.ts'
import { createProgram } from './program.ts'

describe('wrapHelp()', () => {
  it('lets paragraphs flow, and keeps what is indented below its column', () => {
    const text =
      'Exit code 0: every expectation is met.\nExit code 1: one is not met.\n\nExamples:\n  up --detach  in the background, until it is stopped\n'
    expect(wrapHelp(text, 40)).toBe(
      'Exit code 0: every expectation is met.\nExit code 1: one is not met.\n\nExamples:\n  up --detach  in the background, until\n               it is stopped\n',
    )
  })
})

describe('the help', () => {
  it.each([60, 80, 120])('of every command fits into %d columns, and ends with examples', (columns) => {
    const program = createProgram(columns)
    for (const command of allCommands(program)) {
      const parts: string[] = []
      command.configureOutput({ ...command.configureOutput(), writeOut: (part) => void parts.push(part) })
      command.outputHelp()
      const text = wrapHelp(parts.join(''), helpWidth(columns))
      const tooWide = text.split('\n').filter((line) => line.length > columns && line.trim().includes(' '))
      expect(tooWide, command.name()).toEqual([])
      expect.soft(text.split(/Examples?:\n/)[1]?.trim() ?? '', command.name()).toMatch(/^(rollcall|source|KUBEBUILDER|export)/)
      expect(text, command.name()).toContain('--verbose')
    }
  })
})
