// The interface between programs and the shell.
import type { WorkBudget } from '../work-budget.ts'
import type { FileStatus } from './file-status.ts'
import type { FileTests } from './test-expression.ts'

/** What a program can access. */
export interface ProgramContext extends FileTests {
  readonly work: WorkBudget
  readonly nowMs: number
  readonly hostname: string
  readonly directory: string
  readonly stdin: string
  readonly environment: ReadonlyMap<string, string>
  readonly user: { readonly id: number; readonly group: number }
  /** Undefined: the file does not exist. */
  read(path: string): string | undefined
  /** Whether a missing file may be part of the image, whose contents are unknown. */
  mayBeInImage(path: string): boolean
  /** A new file has the mode; absent: 0644. */
  write(path: string, text: string, mode?: number): void
  /** Whether the file system of the path allows writes. */
  isWritable(path: string): boolean
  /** Undefined: there is neither a file nor a directory. */
  status(path: string): FileStatus | undefined
  remove(path: string): boolean
  names(path: string): readonly string[]
  print(text: string): void
  printError(text: string): void
}

export interface ProgramResult {
  readonly code: number
  /** How long it takes. Infinity: until it is stopped. */
  readonly tookMs?: number
}

export type Program = (words: readonly string[], context: ProgramContext) => ProgramResult

export const done: ProgramResult = { code: 0 }
export const failed: ProgramResult = { code: 1 }

/** A program that only prints. */
export const printing =
  (textOf: (words: readonly string[], context: ProgramContext) => string): Program =>
  (words, context) => {
    context.print(textOf(words, context))
    return done
  }

/** The lines, without the line break after the last one. */
export const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** Ends a program: the shell prints the message on stderr, after the name of the program. */
export class ProgramFailure extends Error {
  readonly code: number

  constructor(message: string, code = 1) {
    super(message)
    this.code = code
  }
}

/** What is not an option. */
export const operandsOf = (words: readonly string[]): string[] => words.filter((word) => !word.startsWith('-'))

/** The content of the named files, or else of standard input. `failureCode`: the exit code where a file is missing. */
export function inputOf(paths: readonly string[], context: ProgramContext, failureCode = 1): string {
  if (paths.length === 0 || (paths.length === 1 && paths[0] === '-')) {
    context.work.spendCharacters(context.stdin.length * 4)
    return context.stdin
  }
  let text = ''
  for (const path of paths) {
    const content = context.read(path)
    if (content === undefined) throw new ProgramFailure(`can't open '${path}': No such file or directory`, failureCode)
    context.work.spendCharacters(content.length * 4)
    text += content
  }
  return text
}
