// `rollcall version`: the version of Rollcall, of the API that it serves, and of Node.js.
import type { Command } from 'commander'
import { kubernetes } from '../api/machinery/kubernetes-version.ts'
import { rollcallVersion } from '../cluster/version.ts'
import { type JsonOption, jsonOutput } from './flag-values.ts'

export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .summary('print the versions of Rollcall, its API and Node.js')
    .addHelpText('after', '\nExample:\n  rollcall version --output json')
    .addOption(jsonOutput())
    .action(({ output }: JsonOption) => {
      const versions = { rollcall: rollcallVersion, kubernetes: kubernetes.version, node: process.versions.node }
      process.stdout.write(
        output === 'json'
          ? `${JSON.stringify(versions, null, 2)}\n`
          : `rollcall ${versions.rollcall}\nKubernetes API ${versions.kubernetes}\nNode.js ${versions.node}\n`,
      )
    })
}
