// What the programs of a container have in common.
import type { WorkBudget } from '../work-budget.ts'
import type { FileFacts } from './test-expression.ts'

/** What a program may do to the world around it. */
export interface Surface extends FileFacts {
  readonly work: WorkBudget
  readonly nowMs: number
  readonly hostname: string
  readonly directory: string
  readonly stdin: string
  readonly environment: ReadonlyMap<string, string>
  readonly user: { readonly id: number; readonly group: number }
  /** Undefined when there is none. */
  read(path: string): string | undefined
  write(path: string, text: string): void
  remove(path: string): boolean
  names(path: string): readonly string[]
  print(text: string): void
  complain(text: string): void
}

export interface Outcome {
  readonly code: number
  /** How long it takes. Infinity: until it is stopped. */
  readonly tookMs?: number
}

export type Program = (words: readonly string[], surface: Surface) => Outcome

export const done: Outcome = { code: 0 }
export const failed: Outcome = { code: 1 }

/** Lines, without the break at the end of the last. */
export const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** The files that are named, or what comes in. */
export function inputOf(paths: readonly string[], name: string, surface: Surface): string | undefined {
  if (paths.length === 0 || (paths.length === 1 && paths[0] === '-')) {
    surface.work.spendCharacters(surface.stdin.length * 4)
    return surface.stdin
  }
  let text = ''
  for (const path of paths) {
    const content = surface.read(path)
    if (content === undefined) {
      surface.complain(`${name}: can't open '${path}': No such file or directory\n`)
      return undefined
    }
    surface.work.spendCharacters(content.length * 4)
    text += content
  }
  return text
}
