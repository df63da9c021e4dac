// Runs `rollcall nodes`.
import { messageOf } from '../base/error-message.ts'
import type { Connection } from '../client/connection.ts'
import { startNodesProcess } from '../cluster/remote/nodes-process.ts'
import { findConnection } from './cluster-connection.ts'
import { type ClusterParts, describeNodes, readParts } from './cluster-parts.ts'
import { fail, printError } from './error-line.ts'
import type { NodesOptions } from './nodes.ts'

export async function runNodes(options: NodesOptions): Promise<number> {
  let connection: Connection
  let parts: ClusterParts
  try {
    connection = await findConnection(options)
    parts = await readParts(options)
  } catch (error) {
    return fail(2, error)
  }
  try {
    const running = await startNodesProcess({
      connection,
      nodes: parts.nodes,
      ...(parts.podLife && { podLife: parts.podLife }),
      hasScheduler: options.scheduler ?? false,
      kubelet: options.kubeletAddress,
      qps: options.kubeApiQps,
      burst: options.kubeApiBurst,
      onFailure: (what, error) => printError(`${what}: ${messageOf(error)}`),
    })
    process.stdout.write(
      `Nodes at ${connection.server}: ${describeNodes(parts)}${options.scheduler ? ', with a scheduler' : ''}. Ctrl-C stops it.\n`,
    )
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    })
    await running.stop()
    return 0
  } catch (error) {
    return fail(1, new Error(`Cannot run nodes on ${connection.server}: ${(error as Error).message}`))
  }
}
