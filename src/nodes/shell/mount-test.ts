// `agnhost mounttest`, which prints what a container sees of its volumes.
import { formatMode, permissionsOf, tmpfs } from './file-status.ts'
import { flagValue } from './flag-value.ts'
import { done, failed, type ProgramContext, type ProgramResult } from './program-context.ts'

const newFileText = 'mount-tester new file\n'
const newFileModes = ['0644', '0666', '0660', '0777']

/** The order of what it does is part of its contract: a file can be written and then examined. */
export function mountTest(words: readonly string[], context: ProgramContext): ProgramResult {
  let code = 0
  const examine = (flag: string, run: (path: string) => boolean) => {
    const path = flagValue(words, flag)
    if (path !== undefined && path !== '' && !run(path)) code = 1
  }
  examine('fs_type', (path) => printType(path, context))
  for (const mode of newFileModes) examine(`new_file_${mode}`, (path) => writeNew(path, Number.parseInt(mode, 8), context))
  examine('file_mode', (path) => printStatus(path, context, (status) => `mode of file ${quote(path)}: ${formatMode(status)}\n`))
  examine('file_perm', (path) => printStatus(path, context, ({ mode }) => `perms of file ${quote(path)}: -${permissionsOf(mode)}\n`))
  examine('file_owner', (path) => printOwner(path, context))
  examine('file_content', (path) => printContent(path, context))
  return code === 0 ? done : failed
}

/** One turn of `--file_content_in_loop`. It succeeds where the loop ends. */
export function mountTestTurn(words: readonly string[], context: ProgramContext): ProgramResult {
  const path = flagValue(words, 'file_content_in_loop') ?? ''
  const text = context.read(path)
  if (text === undefined) {
    context.print(`Error reading file ${path}: ${openError(path, context)}, retrying\n`)
    return { code: 2 }
  }
  context.print(`content of file ${quote(path)}: ${text}\n`)
  if (flagValue(words, 'break_on_expected_content') === 'false') return failed
  if (text === newFileText) return done
  context.print(`Unexpected content. Expected: ${newFileText}. Retrying\n`)
  return failed
}

const quote = (path: string) => JSON.stringify(path)
const missing = 'no such file or directory'

function printType(path: string, context: ProgramContext): boolean {
  const status = context.status(path)
  if (status === undefined) context.print(`error from statfs(${quote(path)}): ${missing}\n`)
  else context.print(`mount type of ${quote(path)}: ${status.fileSystem === tmpfs ? 'tmpfs' : status.fileSystem}\n`)
  return status !== undefined
}

function printStatus(
  path: string,
  context: ProgramContext,
  format: (status: NonNullable<ReturnType<ProgramContext['status']>>) => string,
): boolean {
  const status = context.status(path)
  context.print(status === undefined ? `error from Stat(${quote(path)}): stat ${path}: ${missing}\n` : format(status))
  return status !== undefined
}

function printOwner(path: string, context: ProgramContext): boolean {
  const status = context.status(path)
  if (status === undefined) context.print(`error from stat(${quote(path)}): ${missing}\n`)
  else context.print(`owner UID of ${quote(path)}: ${status.user}\nowner GID of ${quote(path)}: ${status.group}\n`)
  return status !== undefined
}

function openError(path: string, context: ProgramContext): string {
  return context.isDirectory(path) ? `read ${path}: is a directory` : `open ${path}: ${missing}`
}

function printContent(path: string, context: ProgramContext): boolean {
  const text = context.read(path)
  context.print(
    text === undefined
      ? `error reading file content for ${quote(path)}: ${openError(path, context)}\n`
      : `content of file ${quote(path)}: ${text}\n`,
  )
  return text !== undefined
}

function writeNew(path: string, mode: number, context: ProgramContext): boolean {
  const parent = path.replace(/\/[^/]*$/, '') || '/'
  const problem = !context.isDirectory(parent) ? missing : context.isWritable(path) ? undefined : 'read-only file system'
  if (problem !== undefined) {
    context.print(`error writing new file ${quote(path)}: open ${path}: ${problem}\n`)
    return false
  }
  context.write(path, newFileText, mode)
  return printContent(path, context)
}
