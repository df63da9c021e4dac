// Finds the kubeconfig of the running cluster that a command addresses.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defaultKubeconfigPaths } from '../client/kubeconfig.ts'

export interface ClusterOptions {
  readonly kubeconfig?: string
  readonly dataDir?: string
}

/** In this order: flags, $KUBECONFIG, the cluster in the current directory, ~/.kube/config. */
export function kubeconfigPathsOf({ kubeconfig, dataDir }: ClusterOptions, environment: NodeJS.ProcessEnv = process.env): string[] {
  if (kubeconfig !== undefined) return [resolve(kubeconfig)]
  const own = resolve(join(dataDir ?? '.rollcall', 'kubeconfig'))
  if (dataDir !== undefined) return [own]
  const defaults = defaultKubeconfigPaths(environment)
  if (environment['KUBECONFIG']) return defaults
  return !existsSync(own) && defaults.some((path) => existsSync(path)) ? defaults : [own]
}
