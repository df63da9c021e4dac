// `cp` and `mv`.
import { trimLastSlashes } from '../../base/url.ts'
import { absolutePath } from './files.ts'
import { operandsOf, type ProgramContext, ProgramFailure, type ProgramResult } from './program-context.ts'

type Name = 'cp' | 'mv'

export function copy(name: Name, words: readonly string[], context: ProgramContext): ProgramResult {
  const operands = operandsOf(words)
  const [to = '', sources] = operands.length < 2 ? ['', operands.slice(0, 1)] : [operands.at(-1)!, operands.slice(0, -1)]
  const isVerbose = words.some((word) => /^-\w*v/.test(word))
  const isRecursive = name === 'mv' || words.some((word) => /^-\w*[rRa]|^--(recursive|archive)$/.test(word))
  const isInto = context.isDirectory(to)
  if (sources.length > 1 && !isInto) throw new ProgramFailure(`target '${to}' is not a directory`)
  let code = 0
  for (const from of sources.length === 0 ? [''] : sources) {
    const target = isInto ? join(to, lastPart(from)) : to
    const problem = copyOne({ name, from, target, isRecursive, context, onCopied: isVerbose ? announce(context) : () => {} })
    if (problem === undefined) continue
    context.printError(`${name}: ${problem}\n`)
    code = 1
  }
  return { code }
}

const announce =
  ({ print }: ProgramContext) =>
  (from: string, to: string) =>
    print(`'${from}' -> '${to}'\n`)

interface Copy {
  readonly name: Name
  readonly from: string
  readonly target: string
  readonly isRecursive: boolean
  readonly context: ProgramContext
  onCopied(from: string, to: string): void
}

/** Returns what is wrong, in BusyBox' words. Undefined: nothing. */
function copyOne({ name, from, target, isRecursive, context, onCopied }: Copy): string | undefined {
  const isMove = name === 'mv'
  const [source, destination] = [from, target].map((path) => absolutePath(path, context.directory)) as [string, string]
  const text = context.read(from)
  const isContents = lastPart(from) === '.'
  if (text === undefined && (context.isDirectory(from) || (isContents && context.mayBeInImage(from)))) {
    if (!isRecursive) return `omitting directory '${from}'`
    const isInside = destination === source || destination.startsWith(source === '/' ? '/' : `${source}/`)
    if (isInside) return isMove ? `can't rename '${from}': Invalid argument` : `recursion detected, omitting directory '${from}'`
    if (context.isFile(target)) return isMove ? `can't rename '${from}': Not a directory` : `target '${target}' is not a directory`
    if (isMove && context.names(target).some((inner) => inner !== '.keep')) return `can't rename '${from}': Directory not empty`
    onCopied(from, target)
    const files = filesBelow(from, context)
    for (const path of files) copyFile(join(from, path), join(target, path), context.read(join(from, path)) ?? '', isMove, context)
    // An empty directory has one file that stands for it.
    if (!context.isDirectory(target)) context.write(join(target, '.keep'), '')
    if (!isMove) for (const path of files) if (lastPart(path) !== '.keep') onCopied(join(from, path), join(target, path))
  } else {
    // A program that the image brings is copied as an empty file.
    const content = text ?? (context.mayBeInImage(from) ? '' : undefined)
    if (content === undefined) return `can't ${isMove ? 'rename' : 'stat'} '${from}': No such file or directory`
    if (context.isDirectory(target)) return isMove ? `can't rename '${from}': Is a directory` : `'${target}' is a directory`
    if (source !== destination) copyFile(from, target, content, isMove, context)
    else if (!isMove) return `'${from}' and '${target}' are the same file`
    onCopied(from, target)
  }
  return isMove && !context.isWritable(from) ? `can't remove '${from}': Read-only file system` : undefined
}

/** A moved file is removed first: it must fit even where no further file does. */
function copyFile(from: string, to: string, text: string, isMove: boolean, context: ProgramContext): void {
  const mode = context.status(from)?.mode
  if (isMove && context.isWritable(to)) context.remove(from)
  context.write(to, text, mode === 0o644 ? undefined : mode)
}

/** The paths of its files, relative to the directory, with those that stand for empty directories. */
function filesBelow(directory: string, context: ProgramContext): string[] {
  const walk = (path: string): string[] =>
    context.names(join(directory, path)).flatMap((name) => {
      const inner = path === '' ? name : join(path, name)
      context.work.spendCharacters(inner.length)
      return context.read(join(directory, inner)) === undefined ? walk(inner) : [inner]
    })
  return walk('')
}

const join = (directory: string, name: string) => (name === '' ? directory : `${trimLastSlashes(directory)}/${name}`)
const lastPart = (path: string) => trimLastSlashes(path).split('/').at(-1)!
