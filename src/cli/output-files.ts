// The files that flags such as --report name: they are checked before a command spends a minute on their content, and reported when they are written.
import { accessSync, closeSync, constants, lstatSync, openSync, readSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { InputError } from '../simulate/rollout/input-error.ts'
import { shortPath } from './short-path.ts'

const headBytes = 2048
/** Matches the start of every file that Rollcall writes: results, traces, reports, JUnit, Markdown, learned times. */
const ownHead =
  /^\{"format":"rollcall\.|<meta name="generator" content="Rollcall|<!-- rollcall\.(?:junit|markdown)\/1 -->|^# Learned by rollcall record at /

/**
 * Throws an InputError where the file cannot be written. An existing file is replaced only where Rollcall wrote it, because
 * `--json web.yaml` is easily typed. `-` is the standard output.
 */
export function checkOutputFile(file: string): void {
  if (file === '-') return
  if (file === '') throw new InputError('the name of a file to write is empty. Give a name, or - for the standard output.')
  const status = statSync(file, { throwIfNoEntry: false })
  if (status?.isDirectory()) throw new InputError(`Cannot write ${file}: it is a directory.`)
  const isInPlace = isWrittenInPlace(file)
  try {
    accessSync(isInPlace ? file : dirname(resolve(file)), constants.W_OK)
  } catch {
    throw new InputError(`Cannot write ${file}: ${isInPlace ? 'it' : 'its directory'} does not exist, or is not writable.`)
  }
  if (!status?.isFile() || status.size === 0) return
  if (!ownHead.test(readHead(file)))
    throw new InputError(`Cannot write ${file}: Rollcall did not write the existing file. Choose another name, or remove it first.`)
}

/** As above, for the files of several flags. Throws also where two flags name the same file, of which only the last would remain. */
export function checkOutputFiles(files: Readonly<Record<string, string | undefined>>): void {
  const flags = new Map<string, string>()
  for (const [flag, file] of Object.entries(files)) {
    if (file === undefined) continue
    checkOutputFile(file)
    const path = file === '-' ? file : resolve(file)
    const other = flags.get(path)
    if (other !== undefined)
      throw new InputError(
        `${other} and ${flag} both write to ${file === '-' ? 'the standard output' : file}. Give one of them another file.`,
      )
    flags.set(path, flag)
  }
}

/** Prints a line on stderr, which no pipe reads: `Wrote web.html: the report.` With `-`, the content is the whole output. */
export function writeOutputFile(file: string, text: string, about: string): void {
  writeAtomically(file, text)
  if (file !== '-') process.stderr.write(`Wrote ${shortPath(file)}: ${about}.\n`)
}

function readHead(file: string): string {
  const head = Buffer.alloc(headBytes)
  try {
    const descriptor = openSync(file, 'r')
    try {
      return head.toString('utf8', 0, readSync(descriptor, head, 0, headBytes, 0))
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw new InputError(`Cannot write ${file}: the existing file cannot be read (${(error as Error).message}).`)
  }
}

/**
 * Readers see the old file or the new one, never a part of it. `-` is the standard output. A device, a pipe and the target of a symbolic
 * link are written in place: a rename would replace /dev/stdout itself.
 */
export function writeAtomically(path: string, text: string): void {
  if (path === '-') {
    process.stdout.write(text)
    return
  }
  const part = `${resolve(path)}.${process.pid}.part`
  try {
    if (isWrittenInPlace(path)) writeFileSync(path, text)
    else {
      writeFileSync(part, text)
      renameSync(part, path)
    }
  } catch (error) {
    rmSync(part, { force: true })
    throw new Error(`Cannot write ${path}: ${(error as Error).message}`)
  }
}

export const isWrittenInPlace = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === false
