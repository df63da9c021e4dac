import { describe, expect, it } from 'vitest'
import { allCommands, columnsOf, helpWidth, wrapHelp } from './help-layout.ts'
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

it.each([
  ['70', 70],
  ['0', undefined],
  ['wide', undefined],
  [undefined, undefined],
])('COLUMNS=%s is a width of %s', (columns, width) => expect(columnsOf(columns)).toBe(width))

describe('a misspelt subcommand', () => {
  it.each([
    ['stats', "unknown command 'stats' of rollcall pacer. Did you mean status?"],
    ['xyzzy', "unknown command 'xyzzy' of rollcall pacer. Choose one of status, wait, release, manifests."],
  ])('of pacer, %s, is named with what it may mean', async (name, message) => {
    await expect(createProgram(80).parseAsync(['node', 'rollcall', 'pacer', name])).rejects.toThrow(message)
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
