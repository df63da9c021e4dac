// Checks and repairs the store of a stopped cluster, for the command line.
import { statSync } from 'node:fs'
import { join } from 'node:path'

export { describeDamage, type Inspection } from '../store/recovery.ts'
export { repairStore, verifyStore } from '../store/repair.ts'

/** `directory` is the data directory, or the store directory in it. */
export function storeDirectoryOf(directory: string): string {
  const inside = join(directory, 'store')
  return statSync(inside, { throwIfNoEntry: false })?.isDirectory() ? inside : directory
}
