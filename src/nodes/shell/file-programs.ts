// Programs that work on files.
import { bytesOfText } from '../../base/byte-text.ts'
import { trimLastSlashes } from '../../base/url.ts'
import {
  done,
  failed,
  inputOf,
  operandsOf,
  type Program,
  type ProgramContext,
  ProgramFailure,
  type ProgramResult,
} from './program-context.ts'

/** `dd`: copies `count` blocks of `bs` bytes, or everything, from `if=` to `of=`. */
export function dd(words: readonly string[], context: ProgramContext): ProgramResult {
  const option = (name: string) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
  const [from, to, count] = [option('if'), option('of'), option('count')]
  const limit = count === undefined ? maxCopiedBytes : Math.min(Number(option('bs') ?? 512) * Number(count) || 0, maxCopiedBytes)
  const text = from === undefined ? context.stdin : from === '/dev/zero' ? '\0'.repeat(limit) : context.read(from)
  if (text === undefined) throw new ProgramFailure(`can't open '${from}': No such file or directory`)
  if (to === undefined) context.print(text.slice(0, limit))
  else context.write(to, text.slice(0, limit))
  return done
}

const maxCopiedBytes = 64 * 1024

/** `find` with `-type` as the only condition: every file and directory below the paths. */
export function find(words: readonly string[], context: ProgramContext): ProgramResult {
  const end = words.findIndex((word) => word.startsWith('-'))
  const paths = end < 0 ? words : words.slice(0, end)
  const type = words.includes('-type') ? words[words.indexOf('-type') + 1] : undefined
  let code = 0
  const walk = (path: string, depth: number): void => {
    if (type === undefined || (type === 'd') === context.isDirectory(path)) context.print(`${path}\n`)
    if (context.isDirectory(path) && depth < 32)
      for (const name of namesIn(path, context)) walk(`${path === '/' ? '' : path}/${name}`, depth + 1)
  }
  for (const path of paths.length === 0 ? ['.'] : paths) {
    if (context.isFile(path) || context.isDirectory(path)) walk(path, 0)
    else {
      context.printError(`find: ${path}: No such file or directory\n`)
      code = 1
    }
  }
  return { code }
}

/** `hexdump -C`: sixteen bytes in a line, as numbers and as characters. */
export function hexdump(words: readonly string[], context: ProgramContext): ProgramResult {
  if (!words.includes('-C')) throw new ProgramFailure('only -C is supported')
  const bytes = bytesOfText(inputOf(operandsOf(words), context).slice(0, maxCopiedBytes))
  const offset = (at: number) => at.toString(16).padStart(8, '0')
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)]
    const numbers = Array.from({ length: 16 }, (_, i) => `${i === 8 ? ' ' : ''} ${row[i]?.toString(16).padStart(2, '0') ?? '  '}`)
    const characters = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.'))
    context.print(`${offset(at)} ${numbers.join('')}  |${characters.join('')}|\n`)
  }
  if (bytes.length > 0) context.print(`${offset(bytes.length)}\n`)
  return done
}

/** Files come first. A directory has its name above it if there are several, or with `-R`. */
export function ls(words: readonly string[], context: ProgramContext): ProgramResult {
  const has = (letters: RegExp) => words.some((word) => letters.test(word))
  const isRecursive = has(/^-\w*R|^--recursive$/)
  const isShown = (name: string) => !name.startsWith('.') || has(/^-\w*[aA]|^--(almost-)?all$/)
  const operands = operandsOf(words)
  const paths = operands.length === 0 ? ['.'] : operands
  const directories: string[] = []
  let code = 0
  for (const path of paths) {
    if (context.isFile(path)) context.print(`${path}\n`)
    else if (context.isDirectory(path)) directories.push(path)
    else {
      context.printError(`ls: ${path}: No such file or directory\n`)
      code = 1
    }
  }
  let isFirst = directories.length === paths.length
  const list = (path: string): void => {
    const names = namesIn(path, context).filter(isShown)
    if (isRecursive || paths.length > 1) context.print(`${isFirst ? '' : '\n'}${path}:\n`)
    isFirst = false
    for (const name of names) context.print(`${name}\n`)
    if (!isRecursive) return
    for (const name of names) {
      const inner = `${trimLastSlashes(path)}/${name}`
      if (context.isDirectory(inner)) list(inner)
    }
  }
  for (const path of directories) list(path)
  return { code }
}

/** Without the file that stands for an empty directory. */
export const namesIn = (path: string, context: ProgramContext): readonly string[] => context.names(path).filter((name) => name !== '.keep')

export function remove(words: readonly string[], context: ProgramContext): ProgramResult {
  const has = (letters: RegExp) => words.some((word) => letters.test(word))
  const [isForced, isRecursive] = [has(/^-\w*f/), has(/^-\w*[rR]|^--recursive$/)]
  const refuse = (path: string, why: string) => {
    context.printError(`rm: can't remove '${path}': ${why}\n`)
    return failed
  }
  const removeAll = (path: string): void => {
    for (const name of context.names(path)) removeAll(`${trimLastSlashes(path)}/${name}`)
    context.remove(path)
  }
  let result: ProgramResult = done
  for (const path of operandsOf(words)) {
    if (context.isDirectory(path)) {
      if (isRecursive) removeAll(path)
      else result = refuse(path, 'Is a directory')
    } else if (!context.remove(path) && !isForced) result = refuse(path, 'No such file or directory')
  }
  return result
}

export const forEachPath =
  (change: (path: string, context: ProgramContext) => void): Program =>
  (words, context) => {
    for (const path of operandsOf(words)) change(path, context)
    return done
  }
