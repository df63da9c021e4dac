import { describeDamage, type Inspection, repairStore, storeDirectoryOf, verifyStore } from '../cluster/store-repair.ts'
import type { StoreRepairOptions } from './store.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** Resolves to the exit code. */
export async function runStoreVerify(dir: string): Promise<number> {
  const found = await verifyStore(storeDirectoryOf(dir))
  printFindings(found)
  if (found.damages.length === 0) {
    print(`Nothing is damaged: ${found.records.size} objects at revision ${found.revision}.`)
    return 0
  }
  print(`To go on without what is damaged: rollcall store repair --drop-damaged ${dir}`)
  return 1
}

/** Resolves to the exit code. */
export async function runStoreRepair(dir: string, { dropDamaged = false }: StoreRepairOptions): Promise<number> {
  const path = storeDirectoryOf(dir)
  if (!dropDamaged) {
    const found = await verifyStore(path)
    printFindings(found)
    if (found.damages.length === 0) print('Nothing is damaged, and nothing was changed.')
    else print('Nothing was changed. Say --drop-damaged to go on without what is lost.')
    return found.damages.length === 0 ? 0 : 1
  }
  const { found, backup } = await repairStore(path)
  printFindings(found)
  if (backup === undefined) {
    print('Nothing is damaged, and nothing was changed.')
    return 0
  }
  print(`Dropped what was lost, and kept ${found.records.size} objects; the next write has revision ${found.newestRevision + 1}.`)
  print(`The files as they were are in ${backup}.`)
  return 0
}

function printFindings({ reports, torn, damages }: Inspection): void {
  for (const { file, holds } of reports) print(`${file}: ${holds}`)
  for (const { header } of torn)
    print(`journal ${header.number}: ends in a group that a crash tore before it was acknowledged; it is dropped at the next start`)
  for (const damage of damages) print(`damaged: ${describeDamage(damage)}; lost: ${damage.lost}`)
}
