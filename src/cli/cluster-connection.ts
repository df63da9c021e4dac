// How a command connects to a real cluster: by the kubeconfig or context that the user names, else in a pod by its service
// account, else by the default kubeconfig.
import { existsSync } from 'node:fs'
import { realClock } from '../base/clock.ts'
import type { Connection } from '../client/connection.ts'
import { HttpTransport } from '../client/http-transport.ts'
import { inClusterConnection, readKubeconfig } from '../client/kubeconfig.ts'
import { kubeconfigOf } from '../cluster/kubeconfig/cluster-record.ts'
import { type ClusterOptions, dataDirOf, folderFlags, kubeconfigPathsOf } from './cluster-folder.ts'
import { usageError } from './error-line.ts'
import { shortPath } from './short-path.ts'

interface ConnectionFlags {
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
}

export async function findConnection(flags: ConnectionFlags): Promise<Connection> {
  const inCluster = flags.kubeconfig === undefined && flags.context === undefined ? inClusterConnection(realClock) : undefined
  const connection = inCluster ?? (await readNamedKubeconfig(flags))
  // As in kubectl.
  return process.env['DISABLE_HTTP2'] ? { ...connection, disableHttp2: true } : connection
}

export const readNamedKubeconfig = ({ kubeconfig, context }: ConnectionFlags): Promise<Connection> =>
  readKubeconfig({ paths: kubeconfig === undefined ? undefined : [kubeconfig], context, clock: realClock })

/** For requests to a cluster of `rollcall up`. Throws an error with exit code 2 where it has no kubeconfig. */
export async function connectToCluster(options: ClusterOptions) {
  const paths = kubeconfigPathsOf(options)
  const dataDir = dataDirOf(options)
  if (paths[0] === kubeconfigOf(dataDir) && !existsSync(paths[0]))
    throw usageError(
      `There is no cluster in ${shortPath(dataDir)}. Start one with rollcall up${folderFlags(options)}, or name its kubeconfig with --kubeconfig.`,
    )
  const connection = await readKubeconfig({ paths, clock: realClock }).catch((error: Error) => {
    throw usageError(`${error.message}. Choose another kubeconfig with --kubeconfig, or a data directory with --data-dir.`)
  })
  const { server, namespace = 'default' } = connection
  const unreachable = ({ message }: Error) =>
    new Error(`Cannot reach the cluster of ${paths.map(shortPath).join(', ')} at ${server}: ${message}. Is it running?`)
  return { server, namespace, transport: new HttpTransport({ connection, clock: realClock, name: 'rollcall' }), unreachable }
}
