import { expect, it } from 'vitest'
import { createProgram } from './program.ts'

it('shows the commands that most users need first, and leaves rare ones to another page', () => {
  const help = createProgram(100).helpInformation()
  const places = ['simulate', 'count', 'wait', 'explain', 'up', 'pacer'].map((name) => help.indexOf(`\n  ${name} `))
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(0)
  expect(help).not.toMatch(/\n {2}(swarm|store|commands) /)
})

it('lists every command on the second page', async () => {
  const program = createProgram(100)
  const lines: string[] = []
  program.configureOutput({ ...program.configureOutput(), writeOut: (text) => void lines.push(text) })
  await program.parseAsync(['node', 'rollcall', 'commands'])
  const names = program.commands.map((one) => one.name()).filter((name) => !name.startsWith('__'))
  expect(names.filter((name) => !lines.join('').includes(`\n  ${name} `))).toEqual([])
})

it.each([
  ['/usr/local/bin/rollcall', 'rollcall'],
  ['/usr/local/bin/kubectl-rollcall', 'kubectl rollcall'],
  ['/opt/kubectl-rollcall/dist/rollcall.mjs', 'rollcall'],
  [undefined, 'rollcall'],
])('called as %s, the program is named %s', (file, name) => expect(createProgram(80, file).helpInformation()).toContain(`Usage: ${name} [`))
