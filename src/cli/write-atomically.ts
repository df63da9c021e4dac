// Writes a file atomically.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Readers see the old file or the new one, never a part of it. `-` is the standard output. */
export function writeAtomically(path: string, text: string): void {
  if (path === '-') {
    process.stdout.write(text)
    return
  }
  const part = `${resolve(path)}.${process.pid}.part`
  try {
    writeFileSync(part, text)
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw new Error(`Cannot write ${path}: ${(error as Error).message}`)
  }
}
