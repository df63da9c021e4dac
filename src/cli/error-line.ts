// How every command reports an error: `error: what happened. What to do.` on one line of the standard error.
import { messageOf } from '../base/error-message.ts'

export function errorLine(error: unknown): string {
  const message = messageOf(error)
    .trim()
    .replace(/\s*\n\s*/g, ' ')
  return `error: ${message}${/[.!?…)]$/.test(message) ? '' : '.'}\n`
}

/** With ROLLCALL_DEBUG set, the stack trace follows. */
export function printError(error: unknown): void {
  process.stderr.write(errorLine(error))
  if (process.env['ROLLCALL_DEBUG'] !== undefined && error instanceof Error) process.stderr.write(`${error.stack}\n`)
}

/** How to write what works, but has a better spelling: `hint: --json is written -o json now.` */
export const printHint = (hint: string): void => void process.stderr.write(`hint: ${hint}.\n`)

/** Returns the exit code. */
export function fail(code: number, error: unknown): number {
  printError(error)
  return code
}

/** For wrong input: the command ends with exit code 2. */
export const usageError = (message: string) => Object.assign(new Error(message), { exitCode: 2 })
