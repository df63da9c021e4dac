import fs from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'

// LMDB ends the process when it cannot open all of its files, or finds something else in their place. This looks first.

/** The lock, the database, the database once more for what must be on the disk, and one to spare. */
const filesOfLmdb = 4

/** Throws what keeps LMDB from opening these files. `path` is the directory's name in messages. */
export function checkUsable(directory: string, path: string, names: readonly string[]): void {
  for (const name of names) checkFile(directory, path, name)
  const open: number[] = []
  try {
    while (open.length < filesOfLmdb) open.push(fs.openSync(devNull, 'r'))
  } finally {
    for (const fd of open) fs.closeSync(fd)
  }
}

/** What is not there will be made. */
export function checkFile(directory: string, path: string, name: string): void {
  const file = join(directory, name)
  const found = fs.statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isFile()) throw new Error(`Cannot open the store: "${join(path, name)}" is no file`)
  fs.accessSync(file, fs.constants.R_OK | fs.constants.W_OK)
}
