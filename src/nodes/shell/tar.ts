// `tar`, as `kubectl cp` calls it: archives in the format of POSIX (ustar), on standard input and output or in a file.
import { bytesOfText, textOfBytes } from '../../base/byte-text.ts'
import { trimLastSlashes } from '../../base/url.ts'
import { namesIn } from './file-programs.ts'
import { absolutePath } from './files.ts'
import { done, type ProgramContext, ProgramFailure, type ProgramResult } from './program-context.ts'

const blockBytes = 512
const types = { file: '0', directory: '5', attributes: 'x' }

interface Arguments {
  readonly flags: string
  /** `-`: standard input or output. */
  readonly archive: string
  readonly directory: string
  readonly paths: readonly string[]
}

export function tar(words: readonly string[], context: ProgramContext): ProgramResult {
  const given = readArguments(words, context)
  if (given.flags.includes('c')) return create(given, context)
  if (given.flags.includes('x') || given.flags.includes('t')) return extract(given, context)
  throw new ProgramFailure('need at least one option of c, x and t')
}

/** `xmf - -C /tmp`, with or without a hyphen before the first letters. */
function readArguments(words: readonly string[], context: ProgramContext): Arguments {
  const rest = [...words]
  const paths: string[] = []
  let [flags, archive, directory] = ['', '-', context.directory]
  for (let isFirst = true; rest.length > 0; isFirst = false) {
    const word = rest.shift()!
    if (word.startsWith('--')) continue
    if (!isFirst && (!word.startsWith('-') || word === '-')) {
      paths.push(word)
      continue
    }
    for (const letter of word.replace(/^-/, '')) {
      flags += letter
      if (letter === 'f') archive = rest.shift() ?? '-'
      if (letter === 'C') directory = absolutePath(rest.shift() ?? '', context.directory)
    }
  }
  return { flags, archive, directory, paths }
}

function create({ archive, directory, paths }: Arguments, context: ProgramContext): ProgramResult {
  const parts: Buffer[] = []
  let code = 0
  /** Returns false where there is no such file. */
  const add = (full: string, name: string, depth: number): boolean => {
    const text = context.isDirectory(full) ? undefined : context.read(full)
    if (text !== undefined) {
      const bytes = bytesOfText(text)
      context.work.spendCharacters(bytes.length * 4)
      parts.push(...entry(name, bytes, types.file, context.nowMs))
    } else if (context.isDirectory(full)) {
      if (name !== '') parts.push(...entry(`${name}/`, Buffer.alloc(0), types.directory, context.nowMs))
      if (depth < 32)
        for (const one of namesIn(full, context)) add(absolutePath(one, full), name === '' ? one : `${name}/${one}`, depth + 1)
    } else return context.mayBeInImage(full)
    return true
  }
  for (const path of paths) {
    if (add(absolutePath(path, directory), nameInArchive(path), 0)) continue
    context.printError(`tar: ${path}: No such file or directory\n`)
    code = 1
  }
  if (code !== 0) context.printError('tar: error exit delayed from previous errors\n')
  // kubectl cp stops reading at the end of the archive, often before it learns the exit code. Without an archive it waits for the code.
  if (code !== 0 && parts.length === 0 && archive === '-') return { code }
  const text = textOfBytes(Buffer.concat([...parts, Buffer.alloc(2 * blockBytes)]))
  if (archive === '-') context.print(text)
  else context.write(archive, text)
  return { code }
}

/** As every tar does, for the safety of who extracts it: nothing before the last `..`, and no slash at the beginning. */
function nameInArchive(path: string): string {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.slice(parts.lastIndexOf('..') + 1).join('/')
}

const nameBytes = 100

/** A name that is too long for the header is in an entry of its own before it. */
function entry(name: string, bytes: Buffer, type: string, nowMs: number): Buffer[] {
  const parts = [header(Buffer.from(name).toString('utf8', 0, nameBytes), bytes.length, type, nowMs), bytes, paddingOf(bytes)]
  if (Buffer.byteLength(name) <= nameBytes) return parts
  const attribute = ` path=${name}\n`
  let length = Buffer.byteLength(attribute)
  // The length of an attribute includes its own digits.
  while (String(length).length + Buffer.byteLength(attribute) !== length) length = String(length).length + Buffer.byteLength(attribute)
  return [...entry('attributes', Buffer.from(`${length}${attribute}`), types.attributes, nowMs), ...parts]
}

const paddingOf = (bytes: Buffer) => Buffer.alloc(-bytes.length & (blockBytes - 1))

function header(name: string, size: number, type: string, nowMs: number): Buffer {
  const block = Buffer.alloc(blockBytes)
  const octal = (value: number, at: number, length: number) => block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  block.write(name, 0, nameBytes)
  octal(type === types.directory ? 0o755 : 0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(Math.floor(nowMs / 1000), 136, 12)
  block.write('        ', 148)
  block.write(type, 156)
  block.write('ustar\x0000', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

/** Input in another format may come from the image or the network, whose contents are unknown: it counts as an empty archive. */
function extract({ flags, archive, directory, paths }: Arguments, context: ProgramContext): ProgramResult {
  const text = archive === '-' ? context.stdin : context.read(archive)
  if (text === undefined) {
    if (context.mayBeInImage(archive)) return done
    throw new ProgramFailure(`can't open '${archive}': No such file or directory`)
  }
  context.work.spendCharacters(text.length * 4)
  const bytes = bytesOfText(text)
  let code = 0
  let longName: string | undefined
  for (let at = 0; at + blockBytes <= bytes.length && bytes[at] !== 0; ) {
    const block = bytes.subarray(at, at + blockBytes)
    if (block.toString('latin1', 257, 262) !== 'ustar') break
    context.work.spend(1)
    const size = Math.max(0, Number.parseInt(fieldOf(block, 124, 136), 8) || 0)
    const type = String.fromCharCode(block[156] || 48)
    const content = bytes.subarray(at + blockBytes, at + blockBytes + size)
    if (content.length < size) throw new ProgramFailure('short read')
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes
    if (type === types.attributes) {
      longName = /(?:^|\n)\d+ path=([^\n]*)/.exec(content.toString())?.[1]
      continue
    }
    const prefix = fieldOf(block, 345, 500)
    const name = longName ?? `${prefix === '' ? '' : `${prefix}/`}${fieldOf(block, 0, 100)}`
    longName = undefined
    const isWanted = paths.length === 0 || paths.some((path) => name === path || name.startsWith(`${trimLastSlashes(path)}/`))
    if (!isWanted) continue
    if (flags.includes('t') || flags.includes('v')) context.print(`${name}\n`)
    if (flags.includes('t')) continue
    // A name that leads out of the directory is taken as one below it.
    const path = `${directory}${absolutePath(name, '/')}`
    if (type === types.directory) {
      if (!context.isDirectory(path)) context.write(`${path}/.keep`, '')
    } else if (type === types.file) {
      const stored = textOfBytes(content)
      context.write(path, stored, Number.parseInt(fieldOf(block, 100, 108), 8) & 0o777)
      if (context.read(path) !== stored) {
        context.printError(`tar: ${name}: file too large for a simulated container\n`)
        code = 1
      }
    }
  }
  return { code }
}

/** Up to the first NUL. */
const fieldOf = (block: Buffer, from: number, to: number): string => {
  const field = block.subarray(from, to)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? field.length : end).trim()
}
