// `rollcall version`: the version of Rollcall, of the API that it serves, and of Node.js.
import type { Command } from 'commander'
import { kubernetes } from '../api/machinery/kubernetes-version.ts'
import { rollcallVersion } from '../cluster/version.ts'
import { type OutputOption, outputOption, printData } from './flag-values.ts'

export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .summary('print the versions of Rollcall, its API and Node.js')
    .addHelpText('after', '\nExample:\n  rollcall version -o json')
    .addOption(outputOption())
    .action(async ({ output }: OutputOption) => {
      const versions = { rollcall: rollcallVersion, kubernetes: kubernetes.version, node: process.versions.node }
      if (output !== undefined) return printData(versions, output)
      process.stdout.write(`rollcall ${versions.rollcall}\nKubernetes API ${versions.kubernetes}\nNode.js ${versions.node}\n`)
    })
}
