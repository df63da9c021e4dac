import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

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
