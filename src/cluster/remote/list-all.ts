// Lists every object of a kind, in pages.
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'

const pageSize = 500

export async function listAll<T extends KubernetesObject>(
  client: Client,
  kind: Parameters<Client['list']>[0] & { readonly __type?: T },
  scope: { readonly namespace?: string; readonly fieldSelector?: string },
): Promise<Stored<T>[]> {
  const items: Stored<T>[] = []
  for (let next: string | undefined; ; ) {
    const page = await client.list(kind, { ...scope, limit: pageSize, ...(next !== undefined && { continue: next }) })
    items.push(...(page.items as Stored<T>[]))
    if (page.continue === undefined || page.continue === '') return items
    next = page.continue
  }
}
