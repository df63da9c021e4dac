// Names and values that differ from one undisturbed run to the next, such as generated names, uids and times. Pure.
import type { RunTrace } from '../trace.ts'

interface Metadata {
  readonly name?: string
  readonly generateName?: string
  readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[]
}

/** Parses, and keeps what it has parsed for this run. */
const parsed = new Map<string, unknown>()
const maxParsed = 5000

export function parse(json: string): Record<string, unknown> {
  const known = parsed.get(json)
  if (known !== undefined) return known as Record<string, unknown>
  const object = JSON.parse(json) as Record<string, unknown>
  if (parsed.size > maxParsed) parsed.clear()
  parsed.set(json, object)
  return object
}

export class Identities {
  /** Keys that every undisturbed run has. */
  readonly #stable: ReadonlySet<string>
  readonly #varying = new Set<string>()

  constructor(undisturbed: readonly RunTrace[]) {
    const sets = undisturbed.map((trace) => new Set([...trace.end.keys(), ...trace.start.keys(), ...trace.changes.map(({ key }) => key)]))
    this.#stable = new Set([...(sets[0] ?? [])].filter((key) => sets.every((set) => set.has(key))))
    for (const trace of undisturbed)
      for (const { key, after, before } of trace.changes) {
        const json = after ?? before
        if (json !== undefined && !this.#stable.has(key)) this.#varying.add(generalName(key, json))
      }
  }

  /** `pods/default/web-*` for an object with a generated name. */
  of(key: string, json: string): string {
    if (this.#stable.has(key) && generateNameOf(json) === undefined) return key
    const general = generalName(key, json)
    return general.includes('*') && (this.#varying.has(general) || generateNameOf(json) !== undefined) ? general : key
  }
}

const metadataOf = (json: string) => (parse(json)['metadata'] ?? {}) as Metadata
const generateNameOf = (json: string) => metadataOf(json).generateName

function generalName(key: string, json: string): string {
  const folder = key.slice(0, key.lastIndexOf('/') + 1)
  const { generateName, ownerReferences } = metadataOf(json)
  if (generateName !== undefined) return `${folder}${generateName}*`
  const owner = ownerReferences?.[0]
  return owner === undefined ? key : `${folder}* of ${owner.kind}`
}

const dropped = new Set(['uid', 'resourceVersion', 'generation', 'observedGeneration', 'managedFields', 'creationTimestamp', 'selfLink'])
/** Where a pod runs depends on what was scheduled before it. */
const placed = new Set(['nodeName', 'hostIP', 'hostIPs', 'podIP', 'podIPs', 'clusterIP', 'clusterIPs', 'nodePort', 'healthCheckNodePort'])
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/
/** Uids, and ids of containers. */
const uidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32,}/g

/** The object without what differs by nature. Conditions and owners are sorted. */
export function normalized(value: unknown, isStarred = false): unknown {
  if (typeof value === 'string') return timePattern.test(value) ? '<time>' : value.replace(uidPattern, '<uid>')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => normalized(item, isStarred))
    return items.every((item) => typeof item === 'object' && item !== null && 'type' in item)
      ? items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : items
  }
  const result: Record<string, unknown> = {}
  for (const [field, item] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (dropped.has(field) || placed.has(field)) continue
    if (isStarred && field === 'name') continue
    result[field] = field === 'deletionTimestamp' ? '<time>' : normalized(item, isStarred)
  }
  return result
}

/** The values of an object by their paths. */
export function leavesOf(value: unknown, path = ''): Map<string, string> {
  const leaves = new Map<string, string>()
  const visit = (item: unknown, at: string) => {
    if (typeof item !== 'object' || item === null) leaves.set(at, JSON.stringify(item))
    else if (Array.isArray(item)) for (const [i, one] of item.entries()) visit(one, `${at}[${i}]`)
    else for (const [field, one] of Object.entries(item)) visit(one, at === '' ? field : `${at}.${field}`)
  }
  visit(value, path)
  return leaves
}
