// Reads objects of a cluster as manifests.

import { isStatusError } from '../api/machinery/status-error.ts'
import type { KubernetesObject } from '../api/types.ts'
import { realClock } from '../base/clock.ts'
import { createHttpClient } from '../client/http-client.ts'
import { HttpTransport } from '../client/http-transport.ts'
import { readKubeconfig } from '../client/kubeconfig.ts'
import { readServerFields } from '../cluster/remote/server-fields.ts'
import { rollcallVersion } from '../cluster/version.ts'
import { kindNamed } from '../simulate/objects.ts'
import { InputError } from '../simulate/rollout/input-error.ts'
import { withoutServerFields } from '../simulate/rollout/live-fields.ts'
import type { SourceText } from '../simulate/rollout/manifests.ts'

interface LiveRequest {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
}

export interface LiveObjects {
  readonly sources: readonly SourceText[]
  /** Whether the server knows the field podReplacementPolicy. */
  readonly hasPolicies: boolean
}

/** `names` are such as `deployment/web`. Fields that the server has set are dropped. Throws an InputError. */
export async function readLiveObjects(names: readonly string[], { kubeconfig, context, namespace }: LiveRequest): Promise<LiveObjects> {
  const connection = await readKubeconfig({
    ...(kubeconfig !== undefined && { paths: [kubeconfig] }),
    ...(context !== undefined && { context }),
    clock: realClock,
  }).catch((error: Error) => {
    throw new InputError(error.message)
  })
  const client = createHttpClient({ connection, name: `rollcall/${rollcallVersion}` })
  const transport = new HttpTransport({ connection, clock: realClock, name: `rollcall/${rollcallVersion}` })
  try {
    const sources: SourceText[] = []
    for (const name of names) {
      const [kindName = '', own] = name.split('/', 2)
      if (own === undefined || own === '')
        throw new InputError(`Cannot read "${name}" from the cluster. Write kind and name, such as deployment/web.`)
      const kind = findKind(kindName)
      const from = namespace ?? connection.namespace ?? 'default'
      const object = await client.get(kind, kind.namespaced ? { namespace: from, name: own } : { name: own }).catch((error: Error) => {
        if (isStatusError(error)) throw new InputError(`Cannot read ${name} in namespace ${from}: ${error.message}`)
        throw new InputError(`Cannot read from ${connection.server}: ${error.message}`)
      })
      sources.push({ name, text: JSON.stringify(asManifest(kind, object), undefined, 2) })
    }
    const { podReplacementPolicy } = await readServerFields((path) => transport.send({ method: 'GET', path }))
    return { sources, hasPolicies: podReplacementPolicy }
  } finally {
    transport.close()
    client.close()
  }
}

function findKind(name: string) {
  try {
    return kindNamed(name)
  } catch {
    throw new InputError(`There is no kind "${name}". Write kind and name, such as deployment/web.`)
  }
}

const asManifest = (
  kind: { readonly group: string; readonly version: string; readonly kind: string },
  object: KubernetesObject,
): KubernetesObject =>
  withoutServerFields({ ...object, apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`, kind: kind.kind })
