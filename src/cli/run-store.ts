// Runs `rollcall store verify` and `rollcall store repair`.
import { describeDamage, type Inspection, repairStore, storeDirectoryOf, verifyStore } from '../cluster/store-repair.ts'
import { type OutputOption, printData } from './flag-values.ts'
import type { StoreRepairOptions } from './store.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** Resolves to the exit code. */
export async function runStoreVerify(dir: string, { output }: OutputOption): Promise<number> {
  const found = await verifyStore(storeDirectoryOf(dir))
  if (output !== undefined) {
    const damages = found.damages.map((damage) => ({ what: describeDamage(damage), lost: damage.lost }))
    await printData({ objects: found.records.size, revision: found.revision, files: found.reports, damages }, output)
    return damages.length === 0 ? 0 : 1
  }
  printFindings(found)
  if (found.damages.length === 0) {
    print(`No damage: ${found.records.size} objects at revision ${found.revision}.`)
    return 0
  }
  print(`To drop the damaged data: rollcall store repair --drop-damaged ${dir}`)
  return 1
}

/** Resolves to the exit code. */
export async function runStoreRepair(dir: string, { dropDamaged = false }: StoreRepairOptions): Promise<number> {
  const path = storeDirectoryOf(dir)
  if (!dropDamaged) {
    const found = await verifyStore(path)
    printFindings(found)
    if (found.damages.length === 0) print('No damage. Nothing was changed.')
    else print('Nothing was changed. Use --drop-damaged to drop the damaged data.')
    return found.damages.length === 0 ? 0 : 1
  }
  const { found, backup } = await repairStore(path)
  printFindings(found)
  if (backup === undefined) {
    print('No damage. Nothing was changed.')
    return 0
  }
  print(`Dropped the damaged data, and kept ${found.records.size} objects. The next write has revision ${found.newestRevision + 1}.`)
  print(`The original files are in ${backup}.`)
  return 0
}

function printFindings({ reports, torn, damages }: Inspection): void {
  for (const { file, holds } of reports) print(`${file}: ${holds}`)
  for (const { header } of torn)
    print(`journal ${header.number}: a crash tore the last group before it was acknowledged; the next start drops it`)
  for (const damage of damages) print(`damaged: ${describeDamage(damage)}; lost: ${damage.lost}`)
}
