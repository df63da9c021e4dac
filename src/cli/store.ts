// `rollcall store`: checks and repairs the files of a durable cluster.
import type { Command } from 'commander'

export interface StoreRepairOptions {
  readonly dropDamaged?: boolean
}

export function addStoreCommand(program: Command): void {
  const store = program
    .command('store')
    .summary('check or repair the files of a stopped cluster')
    .description('Check or repair the files in which a cluster is kept. The cluster must be stopped.')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
  store
    .command('verify')
    .argument('<dir>', 'the data directory, or the store directory in it')
    .summary('read everything, and say what is damaged')
    .description('Read everything that is stored, check every checksum, and say what is damaged. Changes nothing.')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      `
Exit code 0: nothing is damaged. 1: something is, or the directory cannot be read.

Example:
  rollcall store verify .rollcall`,
    )
    .action(async (dir: string) => {
      const { runStoreVerify } = await import('./run-store.ts')
      process.exitCode = await runStoreVerify(dir)
    })
  store
    .command('repair')
    .argument('<dir>', 'the data directory, or the store directory in it')
    .option('--drop-damaged', 'go on without what is damaged')
    .summary('go on without what is damaged')
    .description(
      'Say what is damaged, copy the files as they are to a directory beside them, and drop what cannot be read: of the journal\neverything from the first damaged write on, of a snapshot the objects that are damaged.',
    )
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      `
Exit code 0: the store can be opened. 1: it cannot.

Example:
  rollcall store repair --drop-damaged .rollcall`,
    )
    .action(async (dir: string, options: StoreRepairOptions) => {
      const { runStoreRepair } = await import('./run-store.ts')
      process.exitCode = await runStoreRepair(dir, options)
    })
}
