// How a command reaches a real cluster: a kubeconfig that is named wins; in a pod it is the service account.
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
  if (inCluster !== undefined) return inCluster
  return readKubeconfig({
    ...(kubeconfig !== undefined && { paths: [kubeconfig] }),
    ...(context !== undefined && { context }),
    clock: realClock,
  })
}
