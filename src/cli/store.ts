// `rollcall store`: checks and repairs the files of a durable cluster.
import type { Command } from 'commander'
import { outputOption } from './flag-values.ts'
import { lazyAction } from './lazy-action.ts'

export interface StoreRepairOptions {
  readonly dropDamaged?: boolean
}

export function addStoreCommand(program: Command): void {
  const store = program
    .command('store')
    .summary('check or repair the files of a stopped cluster')
    .description('Check or repair the data directory of a cluster. The cluster must be stopped.')
    .helpCommand(false)
  store
    .command('verify')
    .argument('<dir>', 'the data directory, or the store directory in it')
    .summary('check all files for damage')
    .description('Read all files, check every checksum, and print the damage. Changes nothing.')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Exit code 0: no damage. 1: there is damage, or the directory cannot be read.

Example:
  rollcall store verify .rollcall`,
    )
    .action(lazyAction(async () => (await import('./run-store.ts')).runStoreVerify))
  store
    .command('repair')
    .argument('<dir>', 'the data directory, or the store directory in it')
    .option('--drop-damaged', 'drop damaged data; without it, nothing is changed')
    .summary('drop damaged data, so that the store opens again')
    .description(
      'Print the damage, back up the files to a directory beside them, and drop the damaged data: of a journal every write from the first damaged one on, of a snapshot the damaged objects.',
    )
    .addHelpText(
      'after',
      `
Exit code 0: the store can be opened. 1: it cannot.

Example:
  rollcall store repair --drop-damaged .rollcall`,
    )
    .action(lazyAction(async () => (await import('./run-store.ts')).runStoreRepair))
}
