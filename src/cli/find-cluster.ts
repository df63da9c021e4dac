// Which running cluster a command means.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defaultKubeconfigPaths } from '../client/kubeconfig.ts'

export interface ClusterOptions {
  readonly kubeconfig?: string
  readonly dataDir?: string
}

/** What a flag names comes first; then as kubectl looks for it, but that the cluster of this directory comes before the one at home. */
export function kubeconfigPathsOf({ kubeconfig, dataDir }: ClusterOptions, environment: NodeJS.ProcessEnv = process.env): string[] {
  if (kubeconfig !== undefined) return [resolve(kubeconfig)]
  const own = resolve(join(dataDir ?? '.rollcall', 'kubeconfig'))
  if (dataDir !== undefined) return [own]
  const usual = defaultKubeconfigPaths(environment)
  if (environment['KUBECONFIG']) return usual
  return !existsSync(own) && usual.some((path) => existsSync(path)) ? usual : [own]
}
