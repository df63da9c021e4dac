import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates the directory and its parents. Node's own recursive mkdir never returns on a file system that reports a missing parent
 * for every new name, as /proc does.
 */
export function makeDirectory(path: string, mode = 0o700): void {
  const absolute = resolve(path)
  try {
    mkdirSync(absolute, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) return
    const parent = dirname(absolute)
    if (code !== 'ENOENT' || parent === absolute || existsSync(parent)) throw error
    makeDirectory(parent, mode)
    makeDirectory(absolute, mode)
  }
}
