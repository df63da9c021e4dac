// Finds the kubeconfig of the running cluster that a command addresses.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { defaultKubeconfigPaths } from '../client/kubeconfig.ts'
import { kubeconfigOf } from '../cluster/kubeconfig/cluster-record.ts'
import { dataDirOf, type FolderOptions, withFolder } from './cluster-folder.ts'

export interface ClusterOptions extends FolderOptions {
  readonly kubeconfig?: string
}

/** In this order: flags, $KUBECONFIG, the cluster in the current directory, ~/.kube/config. */
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
