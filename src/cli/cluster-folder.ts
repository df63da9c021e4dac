// Where a cluster keeps its data: in a folder of the user's choice, or, for a named cluster, in the user's data folder.
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { quoteCommand } from '../base/shell-quoting.ts'
import { defaultKubeconfigPaths } from '../client/kubeconfig.ts'
import { kubeconfigOf } from '../cluster/kubeconfig/cluster-record.ts'
import { usageError } from './error-line.ts'

export interface FolderOptions {
  readonly name?: string
  readonly dataDir?: string
}

const defaultFolder = '.rollcall'

/** The folder that has one folder for each named cluster. */
function namedFolder(environment: NodeJS.ProcessEnv): string {
  const base = environment['XDG_DATA_HOME']
  return join(base !== undefined && isAbsolute(base) ? base : join(homedir(), '.local', 'share'), 'rollcall')
}

export function dataDirOf({ name, dataDir }: FolderOptions, environment: NodeJS.ProcessEnv = process.env): string {
  if (name !== undefined && dataDir !== undefined) throw usageError('Give --name or --data-dir, not both')
  return name === undefined ? resolve(dataDir ?? defaultFolder) : join(namedFolder(environment), name)
}

/** The names of the named clusters that have data, in order. */
export function clusterNames(): string[] {
  const folder = namedFolder(process.env)
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

/** The flags that address the same cluster, as a user writes them after a command. */
export const folderFlags = ({ name, dataDir }: FolderOptions) =>
  name !== undefined ? ` --name ${name}` : dataDir !== undefined ? ` --data-dir ${quoteCommand([dataDir])}` : ''

/** As kind names contexts: `rollcall-NAME`, so that they sort together. */
export const contextNameOf = (name: string | undefined) => (name === undefined ? 'rollcall' : `rollcall-${name}`)

const clusterName = (text: string) => {
  if (!/^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/.test(text))
    throw new InvalidArgumentError('Use up to 50 lower-case letters, digits and dashes, such as team-a.')
  return text
}

export const withFolder = (command: Command): Command =>
  command
    .option('--name <name>', 'a named cluster, which can be used from any directory', clusterName)
    .option('--data-dir <dir>', "the cluster's data directory (default: .rollcall)")

export interface ClusterOptions extends FolderOptions {
  readonly kubeconfig?: string
}

/** The kubeconfig of the running cluster that a command addresses. In this order: flags, $KUBECONFIG, the cluster in the current directory, ~/.kube/config. */
export function kubeconfigPathsOf(options: ClusterOptions, environment: NodeJS.ProcessEnv = process.env): string[] {
  if (options.kubeconfig !== undefined) return [resolve(options.kubeconfig)]
  const own = kubeconfigOf(dataDirOf(options, environment))
  if (options.dataDir !== undefined || options.name !== undefined) return [own]
  const defaults = defaultKubeconfigPaths(environment)
  if (environment['KUBECONFIG']) return defaults
  return !existsSync(own) && defaults.some((path) => existsSync(path)) ? defaults : [own]
}

export const withCluster = (command: Command): Command =>
  withFolder(command.option('--kubeconfig <file>', 'how to reach the cluster (default: $KUBECONFIG, or the one in the data directory)'))
