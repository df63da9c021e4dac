import { expect, it } from 'vitest'
import { createProgram } from './program.ts'

it.each([
  ['/usr/local/bin/rollcall', 'rollcall'],
  ['/usr/local/bin/kubectl-rollcall', 'kubectl rollcall'],
  ['/opt/kubectl-rollcall/dist/rollcall.mjs', 'rollcall'],
  [undefined, 'rollcall'],
])('called as %s, the program is named %s', (file, name) => expect(createProgram(80, file).helpInformation()).toContain(`Usage: ${name} [`))
