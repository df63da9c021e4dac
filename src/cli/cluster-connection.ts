// How a command connects to a real cluster: by the kubeconfig or context that the user names, else in a pod by its service
// account, else by the default kubeconfig.
import { realClock } from '../base/clock.ts'
import type { Connection } from '../client/connection.ts'
import { inClusterConnection, readKubeconfig } from '../client/kubeconfig.ts'

export async function findConnection({
  kubeconfig,
  context,
}: {
  readonly kubeconfig?: string
  readonly context?: string
}): Promise<Connection> {
  const inCluster = kubeconfig === undefined && context === undefined ? inClusterConnection(realClock) : undefined
  const connection =
    inCluster ??
    (await readKubeconfig({
      ...(kubeconfig !== undefined && { paths: [kubeconfig] }),
      ...(context !== undefined && { context }),
      clock: realClock,
    }))
  // As in kubectl.
  return process.env['DISABLE_HTTP2'] ? { ...connection, disableHttp2: true } : connection
}
