// The numbers that the dashboard draws of a Deployment, and the same numbers counted from the API, independently of its code.
import type { Page } from 'playwright-core'

export interface Numbers {
  /** `2 ready`: pods by revision and state. */
  readonly layers: Readonly<Record<string, number>>
  readonly desired: number
  readonly cap: number
  readonly nodes: number
  readonly tiles: Readonly<Record<string, number>>
  readonly pods: readonly string[]
}

interface Meta {
  readonly name: string
  readonly uid: string
  readonly deletionTimestamp?: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly { readonly uid: string }[]
}
export interface ReadDeployment {
  readonly metadata: Meta
  readonly spec: { readonly replicas: number; readonly strategy: { readonly rollingUpdate?: { readonly maxSurge?: number | string } } }
}
export interface ReadObjects {
  readonly deployment: ReadDeployment
  readonly replicaSets: readonly { readonly metadata: Meta }[]
  readonly pods: readonly {
    readonly metadata: Meta
    readonly spec: { readonly nodeName?: string; readonly schedulingGates?: readonly unknown[] }
    readonly status: { readonly phase?: string; readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
  }[]
}

const states = ['ready', 'starting', 'pending', 'terminating', 'waiting']

export function countedNumbers({ deployment, replicaSets, pods }: ReadObjects): Numbers {
  const revisions = new Map(
    replicaSets
      .filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === deployment.metadata.uid)
      .map(({ metadata }) => [metadata.uid, metadata.annotations?.['deployment.kubernetes.io/revision'] ?? '1']),
  )
  const layers: Record<string, number> = {}
  const tiles: Record<string, number> = Object.fromEntries(states.map((state) => [state, 0]))
  const nodes = new Set<string>()
  const names: string[] = []
  for (const { metadata, spec, status } of pods) {
    const revision = revisions.get(metadata.ownerReferences?.[0]?.uid ?? '')
    if (revision === undefined) continue
    names.push(metadata.name)
    if (status.phase === 'Succeeded' || status.phase === 'Failed') continue
    const isReady = status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True')
    const state =
      metadata.deletionTimestamp !== undefined
        ? 'terminating'
        : (spec.schedulingGates?.length ?? 0) > 0
          ? 'waiting'
          : !spec.nodeName
            ? 'pending'
            : isReady
              ? 'ready'
              : 'starting'
    layers[`${revision} ${state}`] = (layers[`${revision} ${state}`] ?? 0) + 1
    tiles[state]!++
    if (spec.nodeName) nodes.add(spec.nodeName)
  }
  const { replicas, strategy } = deployment.spec
  const surge = strategy.rollingUpdate?.maxSurge ?? '25%'
  const cap = replicas + (typeof surge === 'number' ? surge : Math.ceil((replicas * Number.parseFloat(surge)) / 100))
  if (tiles['waiting'] === 0) delete tiles['waiting']
  return { layers, desired: replicas, cap, nodes: nodes.size, tiles: { ...tiles, cap }, pods: names.toSorted() }
}

/** As they are on the page of the Deployment. At most 20 pods are in the document. */
export async function drawnNumbers(page: Page): Promise<Numbers> {
  const found = (await page.evaluate(`(() => {
    const all = (selector) => [...document.querySelectorAll(selector)]
    const line = (name) => Number(document.querySelector('[data-testid=legend] [data-line=' + name + ']')?.dataset.count)
    return {
      layers: all('[data-testid=legend] [data-revision]').map(({ dataset }) => [dataset.revision + ' ' + dataset.state, Number(dataset.count)]),
      desired: line('desired'), cap: line('cap'), nodes: line('nodes'),
      tiles: all('[data-tile]').map(({ dataset }) => [dataset.tile, Number(dataset.count)]),
      pods: all('[data-pod]').map(({ dataset }) => dataset.pod),
    }
  })()`)) as Omit<Numbers, 'layers' | 'tiles'> & { layers: [string, number][]; tiles: [string, number][] }
  return {
    ...found,
    layers: Object.fromEntries(found.layers.filter(([, count]) => count > 0)),
    tiles: Object.fromEntries(found.tiles),
    pods: found.pods.toSorted(),
  }
}

const serialized = (numbers: Numbers) => {
  const sorted = (counts: Readonly<Record<string, number>>) => Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify({ ...numbers, layers: sorted(numbers.layers), tiles: sorted(numbers.tiles) })
}

/**
 * `equal`, or how the two differ. The API is read before and after the page: `moving` where it changed meanwhile, which says nothing
 * about the page.
 */
export async function comparedNumbers(page: Page, read: () => Promise<ReadObjects>): Promise<string> {
  const before = serialized(countedNumbers(await read()))
  const drawn = serialized(await drawnNumbers(page))
  const after = serialized(countedNumbers(await read()))
  if (before !== after) return 'moving'
  return drawn === before ? 'equal' : `drawn ${drawn}, counted ${before}`
}
