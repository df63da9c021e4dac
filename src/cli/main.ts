#!/usr/bin/env node
// `rollcall`: the command line.
import { CommanderError } from 'commander'
import { enableCompileCache } from './compile-cache.ts'
import { printError } from './error-line.ts'
import { columnsOf } from './help-layout.ts'
import { createProgram } from './program.ts'

enableCompileCache()

// The command continues when its reader has closed the pipe, as in `rollcall up | head -1`.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

try {
  await createProgram(process.stdout.columns ?? columnsOf(process.env['COLUMNS']), process.argv[1]).parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2)
  printError(error)
  process.exit(error instanceof Error && 'exitCode' in error ? Number(error.exitCode) : 1)
}
