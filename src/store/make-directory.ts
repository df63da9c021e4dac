import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes the directory and those above it. Node's own recursive mkdir never returns where a file system refuses new names as if
 * there were none above them, as /proc does.
 */
export function makeDirectory(path: string, mode = 0o700): void {
  const whole = resolve(path)
  try {
    mkdirSync(whole, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (statSync(whole, { throwIfNoEntry: false })?.isDirectory()) return
    const above = dirname(whole)
    if (code !== 'ENOENT' || above === whole || existsSync(above)) throw error
    makeDirectory(above, mode)
    makeDirectory(whole, mode)
  }
}
