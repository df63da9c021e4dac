// What the dashboard watches: 10,000 pods of 71 Deployments on 500 nodes, and their changes. Nothing but this process writes: controllers
// and nodes would compete with the browser for the processors.
import { deployments, nodes, pods, replicaSets } from '../src/api/kinds.ts'
import type { Deployment, Node, Pod, ReplicaSet } from '../src/api/types.ts'
import { seededPart } from '../src/base/random.ts'
import type { Client } from '../src/client/client.ts'
import { inParallel } from './measuring.ts'

export const largest = 'web-0'
/** Pods of each Deployment. The first is large: its page lists them all. */
const fullSizes = [3000, ...Array.from({ length: 70 }, () => 100)]
const fullNodeCount = 500
const atATime = 32

type Phase = 'starting' | 'ready' | 'terminating'

interface Place {
  readonly app: number
  readonly node: string
  name: string
  phase: Phase
  isBusy: boolean
}

const revisions = 2
const templateOf = (app: number, revision: number) => ({
  metadata: { labels: { app: `web-${app}`, 'pod-template-hash': `r${revision}` } },
  spec: {
    containers: [
      {
        name: 'web',
        image: `registry.example.com/shop/web-${app}:1.${revision}`,
        env: Array.from({ length: 6 }, (_, index) => ({ name: `SETTING_${index}`, value: `value-${app}-${index}` })),
        resources: { requests: { cpu: '100m', memory: `${64 + app}Mi` } },
      },
    ],
    terminationGracePeriodSeconds: 30,
    automountServiceAccountToken: false,
  },
})

export class DashboardLoad {
  readonly #client: Client
  readonly #random = seededPart(17, 1)
  readonly #places: Place[] = []
  readonly #sets = new Map<string, string>()
  #made = 0
  #isStopped = false
  #timer: NodeJS.Timeout | undefined
  readonly #sizes: readonly number[]
  readonly #nodeCount: number
  changes = 0
  failures = 0

  /** `scale`: 1 for the sizes above, less for a part of them. */
  constructor(client: Client, scale: number) {
    this.#client = client
    this.#sizes = fullSizes.map((size) => Math.ceil(size * scale))
    this.#nodeCount = Math.ceil(fullNodeCount * scale)
  }

  get podCount(): number {
    return this.#places.length
  }

  async create(): Promise<void> {
    await inParallel(this.#nodeCount, atATime, (index) => this.#createNode(`node-${index}`))
    for (const [app, size] of this.#sizes.entries()) await this.#createDeployment(app, size)
    let index = 0
    for (const [app, size] of this.#sizes.entries())
      for (let pod = 0; pod < size; pod++)
        this.#places.push({ app, node: `node-${index++ % this.#nodeCount}`, name: '', phase: 'starting', isBusy: false })
    await inParallel(this.#places.length, atATime, async (place) => {
      await this.#createPod(this.#places[place]!)
      await this.#advance(this.#places[place]!)
    })
  }

  /** Changes pods until `stop`. In each change one pod becomes ready, is deleted, terminates or is replaced. */
  start(changesPerSecond: number): void {
    const startMs = performance.now()
    let started = 0
    this.#timer = setInterval(() => {
      const due = Math.floor(((performance.now() - startMs) / 1000) * changesPerSecond)
      // Changes that are overdue after a slow moment are made up for, but not all at once.
      for (let made = 0; started < due && made < changesPerSecond; made++) {
        started++
        const place = this.#places[Math.floor(this.#random.next() * this.#places.length)]!
        // Its previous change is still being written.
        if (place.isBusy) continue
        place.isBusy = true
        void this.#advance(place)
          .catch((error: unknown) => {
            if (!this.#isStopped && this.failures++ === 0) console.error(error)
          })
          .finally(() => {
            place.isBusy = false
          })
      }
    }, 20)
  }

  /** Changes that are being written may fail from now on. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
  }

  async #createNode(name: string): Promise<void> {
    const node = {
      metadata: { name },
      status: { allocatable: { cpu: '16', memory: '64Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
    }
    await this.#client.create(nodes, undefined, node as unknown as Node)
    await this.#client.patch(nodes, { name }, 'merge', { status: node.status }, { subresource: 'status' })
  }

  async #createDeployment(app: number, replicas: number): Promise<void> {
    const name = `web-${app}`
    const selector = { matchLabels: { app: name } }
    const owner = await this.#client.create(deployments, 'default', {
      metadata: { name, labels: { app: name, tier: `tier-${app % 4}` } },
      spec: { replicas, selector, template: templateOf(app, revisions) },
    } as unknown as Deployment)
    for (let revision = 1; revision <= revisions; revision++) {
      const set = await this.#client.create(replicaSets, 'default', {
        metadata: {
          name: `${name}-r${revision}`,
          labels: { app: name },
          annotations: { 'deployment.kubernetes.io/revision': String(revision) },
          ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid: owner.metadata.uid, controller: true }],
        },
        spec: { replicas: 0, selector, template: templateOf(app, revision) },
      } as unknown as ReplicaSet)
      this.#sets.set(`${app} ${revision}`, set.metadata.uid)
    }
  }

  async #createPod(place: Place): Promise<void> {
    const revision = 1 + (this.#made % revisions)
    place.name = `web-${place.app}-r${revision}-${(this.#made++).toString(36).padStart(5, '0')}`
    place.phase = 'starting'
    const { metadata, spec } = templateOf(place.app, revision)
    const uid = this.#sets.get(`${place.app} ${revision}`)!
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `web-${place.app}-r${revision}`, uid, controller: true }]
    await this.#client.create(pods, 'default', {
      metadata: { ...metadata, name: place.name, ownerReferences },
      spec: { ...spec, nodeName: place.node },
    } as unknown as Pod)
  }

  async #advance(place: Place): Promise<void> {
    this.changes++
    const at = { namespace: 'default', name: place.name }
    switch (place.phase) {
      case 'starting':
        place.phase = 'ready'
        await this.#client.patch(
          pods,
          at,
          'merge',
          { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
          { subresource: 'status' },
        )
        return
      case 'ready':
        place.phase = 'terminating'
        await this.#client.delete(pods, at)
        return
      case 'terminating':
        place.phase = 'starting'
        await this.#client.delete(pods, at, { gracePeriodSeconds: 0 })
        await this.#createPod(place)
    }
  }
}
