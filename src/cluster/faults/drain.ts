// Drains a node as `kubectl drain` does: cordons it, and evicts its pods as disruption budgets allow. Pods of DaemonSets stay,
// and so do pods that have ended.
import { nodes, pods as podKind } from '../../api/kinds.ts'
import { ignoring, isStatusError } from '../../api/machinery/status-error.ts'
import type { Pod, Stored } from '../../api/types.ts'
import type { CancelTimer, Clock } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'

interface DrainOptions {
  readonly client: Client
  readonly clock: Clock
  readonly node: string
  onFailure(what: string, error: unknown): void
}

const retryMs = 5000
const terminationPollMs = 1000

export class Drain {
  readonly #options: DrainOptions
  #cancel: CancelTimer = () => {}
  #isEnded = false
  #wasCordoned = false
  #evicted = new Set<string>()
  #left = 0
  #isRefused = false

  constructor(options: DrainOptions) {
    this.#options = options
  }

  /** Resolves when the node is cordoned and each eviction was tried once; retries continue in the background. Rejects where there is no such node. */
  async start(): Promise<void> {
    const { client, node } = this.#options
    this.#wasCordoned = (await client.get(nodes, { name: node })).spec?.unschedulable ?? false
    if (!this.#wasCordoned) await client.patch(nodes, { name: node }, 'merge', { spec: { unschedulable: true } })
    await this.#attempt()
  }

  /** `3 pods evicted, 2 left, held by a disruption budget`. */
  get progress(): string {
    const evicted = `${count(this.#evicted.size)} evicted`
    if (this.#left === 0) return `${evicted}, none left`
    return `${evicted}, ${this.#left} left${this.#isRefused ? ', held by a disruption budget' : ''}`
  }

  /** Uncordons the node, unless it was cordoned before the drain. */
  async end(): Promise<void> {
    this.#isEnded = true
    this.#cancel()
    if (this.#wasCordoned) return
    const { client, node } = this.#options
    await ignoring('NotFound', client.patch(nodes, { name: node }, 'merge', { spec: { unschedulable: null } }))
  }

  async #attempt(): Promise<void> {
    try {
      this.#retryAfter(await this.#evictAll())
    } catch (error) {
      if (this.#isEnded) return
      this.#options.onFailure(`draining node ${this.#options.node}`, error)
      this.#retryAfter(retryMs)
    }
  }

  #retryAfter(waitMs: number | undefined): void {
    if (this.#isEnded || waitMs === undefined) return
    this.#cancel = this.#options.clock.after(waitMs, () => void this.#attempt())
  }

  /** Resolves to the wait until the next attempt; undefined when no pod is left. */
  async #evictAll(): Promise<number | undefined> {
    const { client, node } = this.#options
    const { items } = await client.list(podKind, { fieldSelector: `spec.nodeName=${node}` })
    const remaining = items.filter(isEvictable)
    this.#isRefused = false
    for (const pod of remaining) {
      if (this.#isEnded) return undefined
      if (pod.metadata.deletionTimestamp === undefined) await this.#evict(pod)
    }
    this.#left = remaining.length
    if (remaining.length === 0) return undefined
    return this.#isRefused ? retryMs : terminationPollMs
  }

  async #evict({ metadata: { namespace = '', name, uid } }: Stored<Pod>): Promise<void> {
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
    try {
      await this.#options.client.createSubresource(podKind, { namespace, name }, 'eviction', body)
      this.#evicted.add(uid)
    } catch (error) {
      if (isStatusError(error, 'TooManyRequests')) this.#isRefused = true
      else if (!isStatusError(error, 'NotFound')) throw error
    }
  }
}

const count = (pods: number) => (pods === 1 ? '1 pod' : `${pods} pods`)

function isEvictable({ metadata, status }: Stored<Pod>): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false
  if (metadata.annotations !== undefined && Object.hasOwn(metadata.annotations, 'kubernetes.io/config.mirror')) return false
  return !metadata.ownerReferences?.some(({ controller, kind }) => controller === true && kind === 'DaemonSet')
}
