// The files of a stopped cluster, as the command line checks and repairs them.
import { statSync } from 'node:fs'
import { join } from 'node:path'

export { describeDamage, type Inspection } from '../store/recovery.ts'
export { repairStore, verifyStore } from '../store/repair.ts'

/** Users name the data directory or the store in it. */
export function storeDirectoryOf(directory: string): string {
  const inside = join(directory, 'store')
  return statSync(inside, { throwIfNoEntry: false })?.isDirectory() ? inside : directory
}
