// Reads workloads of a cluster as manifests: the connection, and what is read.

import { formatTime, realClock } from '../base/clock.ts'
import { createHttpClient } from '../client/http-client.ts'
import { HttpTransport } from '../client/http-transport.ts'
import { readServerFields } from '../cluster/remote/server-fields.ts'
import { rollcallVersion } from '../cluster/version.ts'
import { LiveObjectReader, type LiveObjects } from '../simulate/live/live-object-reader.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import { readNamedKubeconfig } from './cluster-connection.ts'

interface LiveRequest {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
  readonly allNamespaces?: boolean
  /** Given: other nodes than those of the cluster. */
  readonly nodes?: string
}

/** `names` are such as `deployment/web`, or `deployments` for all. Fields that the server has set are dropped. Throws an InputError. */
export async function readLiveObjects(
  names: readonly string[],
  { kubeconfig, context, namespace, allNamespaces, nodes }: LiveRequest,
): Promise<LiveObjects> {
  const connection = await readNamedKubeconfig({ kubeconfig, context }).catch((error: Error) => {
    throw new InputError(error.message)
  })
  const client = createHttpClient({ connection, name: `rollcall/${rollcallVersion}` })
  const transport = new HttpTransport({ connection, clock: realClock, name: `rollcall/${rollcallVersion}` })
  try {
    const reader = new LiveObjectReader(client, connection.server)
    for (const name of names) {
      if (name.includes('/') && allNamespaces)
        throw new InputError(`--all-namespaces reads all objects of a kind. Leave it out for ${name}, or write ${name.split('/', 1)[0]}.`)
      await reader.readWorkloads(name, allNamespaces ? undefined : (namespace ?? connection.namespace ?? 'default'))
    }
    await reader.readNodes(nodes === undefined)
    await reader.readQuotas()
    const { podReplacementPolicy } = await readServerFields((path) => transport.send({ method: 'GET', path }))
    return { ...reader.result(formatTime(realClock.now())), hasPolicies: podReplacementPolicy }
  } finally {
    transport.close()
    client.close()
  }
}
