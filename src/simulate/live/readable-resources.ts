// Which resources of a cluster this user may read.
import type { Resource } from '../../api/machinery/kind.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Client } from '../../client/client.ts'

export interface WorkloadName {
  readonly kind: string
  readonly name: string
}

interface ReadableRequest {
  readonly client: Client
  /** Absent: all namespaces. */
  readonly namespace?: string
  /** Workloads that the user named: their kinds must be readable. */
  readonly workloads: readonly WorkloadName[]
  /** Called for each resource that is left out. */
  onNotice(line: string): void
}

/** Resources that may not be read, or do not exist, are left out. Without pods there is nothing to read. */
export async function readableResources(request: ReadableRequest, resources: readonly Resource[]): Promise<readonly Resource[]> {
  const readable: Resource[] = []
  for (const resource of resources) if (await mayRead(request, resource)) readable.push(resource)
  return readable
}

async function mayRead({ client, namespace, workloads, onNotice }: ReadableRequest, resource: Resource): Promise<boolean> {
  try {
    await client.list(resource, { limit: 1, ...(namespace !== undefined && resource.namespaced && { namespace }) })
    return true
  } catch (error) {
    const isRefused = isStatusError(error, 'Forbidden') || isStatusError(error, 'NotFound')
    const isNeeded = resource.kind === 'Pod' || workloads.some(({ kind }) => kind === resource.kind)
    if (!isRefused || isNeeded) throw error
    onNotice(`without ${resource.plural}: ${error.message}`)
    return false
  }
}
