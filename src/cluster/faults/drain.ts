// A node that is emptied as `kubectl drain` does it: no new pods, and those that are there are evicted as their budgets
// allow. Pods of DaemonSets stay, and so do those that have ended.
import { nodes, pods as podKind } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { Pod, Stored } from '../../api/types.ts'
import type { CancelTimer, Clock } from '../../base/clock.ts'
import type { Client } from '../../client/client.ts'

export interface DrainOptions {
  readonly client: Client
  readonly clock: Clock
  readonly node: string
  onFailure(what: string, error: unknown): void
}

const retryMs = 5000
const goneLookMs = 1000

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

  /** Resolves when no pod comes any more and all were asked to go; the rest goes on by itself. Rejects when there is no such node. */
  async start(): Promise<void> {
    const { client, node } = this.#options
    this.#wasCordoned = (await client.get(nodes, { name: node })).spec?.unschedulable ?? false
    if (!this.#wasCordoned) await client.patch(nodes, { name: node }, 'merge', { spec: { unschedulable: true } })
    await this.#look()
  }

  /** `3 pods evicted, 2 left`, or why it does not go on. */
  get progress(): string {
    const evicted = `${count(this.#evicted.size)} evicted`
    if (this.#left === 0) return `${evicted}, none left`
    return `${evicted}, ${this.#left} left${this.#isRefused ? ', held by a disruption budget' : ''}`
  }

  /** Pods may come again, unless somebody else had cordoned it before. */
  async end(): Promise<void> {
    this.#isEnded = true
    this.#cancel()
    if (this.#wasCordoned) return
    const { client, node } = this.#options
    try {
      await client.patch(nodes, { name: node }, 'merge', { spec: { unschedulable: null } })
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error
    }
  }

  async #look(): Promise<void> {
    try {
      this.#again(await this.#evictAll())
    } catch (error) {
      if (this.#isEnded) return
      this.#options.onFailure(`draining node ${this.#options.node}`, error)
      this.#again(retryMs)
    }
  }

  #again(waitMs: number | undefined): void {
    if (this.#isEnded || waitMs === undefined) return
    this.#cancel = this.#options.clock.after(waitMs, () => void this.#look())
  }

  /** When to look again; undefined when nothing is left. */
  async #evictAll(): Promise<number | undefined> {
    const { client, node } = this.#options
    const { items } = await client.list(podKind, { fieldSelector: `spec.nodeName=${node}` })
    const leaving = items.filter(isMovable)
    this.#isRefused = false
    for (const pod of leaving) {
      if (this.#isEnded) return undefined
      if (pod.metadata.deletionTimestamp === undefined) await this.#evict(pod)
    }
    this.#left = leaving.length
    if (leaving.length === 0) return undefined
    return this.#isRefused ? retryMs : goneLookMs
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

function isMovable({ metadata, status }: Stored<Pod>): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false
  if (metadata.annotations !== undefined && Object.hasOwn(metadata.annotations, 'kubernetes.io/config.mirror')) return false
  return !metadata.ownerReferences?.some(({ controller, kind }) => controller === true && kind === 'DaemonSet')
}
