// Reads a file that lists nodes: node groups, and Node objects as printed by kubectl.

import { isJsonObject } from '../api/machinery/json-object.ts'
import type { Node } from '../api/types.ts'
import { defined } from '../base/defined.ts'
import { parseQuantity } from '../base/quantity.ts'
import { type AutoscaledGroup, planFirstNodes } from './autoscaler/node-groups.ts'
import { FileError, type LocatedDocument, type Path, parseLocated } from './located-yaml.ts'
import type { NodeGroup, NodeReport, NodeSpec } from './node-object.ts'

export interface NodeFile {
  readonly nodes: readonly NodeSpec[]
  readonly groups: readonly NodeGroup[]
  readonly autoscaled: readonly AutoscaledGroup[]
}

export const maxNodes = 5000

type Fields = Readonly<Record<string, unknown>>

/** Throws a FileError. */
export function readNodeFile(text: string, source: string): NodeFile {
  const objects: NodeSpec[] = []
  const groups: NodeGroup[] = []
  const autoscaled: AutoscaledGroup[] = []
  const locations = new Map<string, string>()
  for (const document of parseLocated(text, source))
    for (const { value, path } of entriesOf(document)) {
      const reader = new Reader(document, path)
      const location = document.at(path)
      if (!isJsonObject(value)) throw new FileError(location, 'a node or a group of nodes is expected here')
      if ('kind' in value || 'metadata' in value) objects.push(addUnique(locations, location, readNodeObject(value, reader)))
      else {
        const { group, scale } = readGroup(value, reader)
        groups.push(group)
        if (scale !== undefined) autoscaled.push({ node: group, ...scale })
      }
    }
  const made = planFirstNodes(groups, autoscaled)
  for (const { name } of made)
    if (locations.has(name)) throw new FileError(locations.get(name)!, `node "${name}" is defined twice: a group has a node of this name`)
  const nodes = [...objects, ...made]
  if (nodes.length === 0 && autoscaled.length === 0) throw new FileError(source, 'it defines no nodes')
  if (nodes.length > maxNodes) throw new FileError(source, `it defines ${nodes.length} nodes, at most ${maxNodes} are supported`)
  return { nodes, groups, autoscaled }
}

/** Checks node groups that a program passes. Throws a FileError that names the field: `nodes[0].cpu: …`. */
export function readNodeGroups(groups: readonly unknown[], name: string): NodeGroup[] {
  const at = (path: Path) => name + path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  return groups.map((value, index) => {
    const reader = new Reader({ value: groups, at }, [index])
    if (!isJsonObject(value)) throw reader.error([], 'a group of nodes is expected here')
    const { group, scale } = readGroup(value, reader)
    if (scale !== undefined) throw reader.error(['autoscale'], 'it is an option of the cluster, not of a group')
    return group
  })
}

function addUnique(locations: Map<string, string>, location: string, spec: NodeSpec): NodeSpec {
  if (locations.has(spec.name)) throw new FileError(location, `node "${spec.name}" is defined twice`)
  locations.set(spec.name, location)
  return spec
}

/** The entries of a list, of a List, of `nodes`, or the document itself. */
function* entriesOf({ value }: LocatedDocument): Iterable<{ readonly value: unknown; readonly path: Path }> {
  const isList = isJsonObject(value) && typeof value['kind'] === 'string' && value['kind'].endsWith('List')
  const key = isList ? 'items' : isJsonObject(value) && 'nodes' in value ? 'nodes' : undefined
  const list = Array.isArray(value) ? value : key === undefined ? undefined : (value as Fields)[key]
  if (!Array.isArray(list)) yield { value, path: [] }
  else for (const [index, item] of list.entries()) yield { value: item, path: key === undefined ? [index] : [key, index] }
}

const groupFields = [
  'name',
  'count',
  'cpu',
  'memory',
  'pods',
  'ephemeralStorage',
  'resources',
  'region',
  'zone',
  'zones',
  'labels',
  'annotations',
  'taints',
  'autoscale',
]

function readGroup(fields: Fields, read: Reader) {
  read.rejectUnknown(fields, groupFields)
  const name = read.name('name', fields['name'])
  const scale = fields['autoscale'] === undefined ? undefined : readScale(fields['autoscale'], read)
  const count = read.count('count', fields['count'], maxNodes) ?? scale?.min
  const group: NodeGroup = defined({
    name,
    count,
    cpu: read.quantity('cpu', fields['cpu']),
    memory: read.quantity('memory', fields['memory']),
    pods: read.count('pods', fields['pods'], 1_000_000),
    ephemeralStorage: read.quantity('ephemeralStorage', fields['ephemeralStorage']),
    resources: read.quantities('resources', fields['resources']),
    region: read.text('region', fields['region']),
    zone: read.text('zone', fields['zone']),
    zones: fields['zones'] === undefined ? undefined : read.strings('zones', fields['zones']),
    labels: read.stringMap('labels', fields['labels']),
    annotations: read.stringMap('annotations', fields['annotations']),
    taints: fields['taints'] === undefined ? undefined : readTaints(fields['taints'], read),
  })
  return { group, scale }
}

function readScale(value: unknown, read: Reader) {
  if (!isJsonObject(value)) throw read.error(['autoscale'], 'autoscale must be like { min: 1, max: 10 }')
  read.rejectUnknown(value, ['min', 'max'], ['autoscale'])
  const min = read.count('min', value['min'], maxNodes, ['autoscale']) ?? 0
  const max = read.count('max', value['max'], maxNodes, ['autoscale'])
  if (max === undefined || max < Math.max(1, min))
    throw read.error(['autoscale', 'max'], 'autoscale needs a max that is at least 1, and at least min')
  return { min, max }
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** Objects, or strings in the form of `kubectl taint`: `key=value:NoSchedule`. */
function readTaints(value: unknown, read: Reader, under: Path = []): NonNullable<NodeSpec['taints']> {
  if (!Array.isArray(value)) throw read.error([...under, 'taints'], 'taints must be a list')
  return value.map((taint: unknown, index) => {
    const match = typeof taint === 'string' ? /^([^=:\s]+)(?:=([^:\s]*))?:(\w+)$/.exec(taint) : null
    const fields = match === null ? taint : { key: match[1], value: match[2], effect: match[3] }
    if (!isJsonObject(fields) || typeof fields['key'] !== 'string' || !effects.includes(String(fields['effect'])))
      throw read.error([...under, 'taints', index], `a taint must be like key=value:NoSchedule, its effect one of ${effects.join(', ')}`)
    const text = fields['value']
    return { key: fields['key'], effect: String(fields['effect']), ...(text !== undefined && text !== null && { value: String(text) }) }
  })
}

/** Taints and annotations that the cluster sets by itself are not copied. */
const isSetByCluster = (key: string) => key.startsWith('node.kubernetes.io/') || key.endsWith('ByClusterAutoscaler')
const isSetByClient = (key: string) => key.startsWith('kubectl.kubernetes.io/') || key.startsWith('rollcall.dev/')

function readNodeObject(value: Fields, read: Reader): NodeSpec {
  if (value['kind'] !== 'Node') throw read.error(['kind'], `kind ${JSON.stringify(value['kind'] ?? null)} is not Node`)
  const { metadata, status } = value as Node
  const { taints, unschedulable } = (value as Node).spec ?? {}
  const name = read.name('name', metadata?.name, ['metadata'])
  if (name === undefined) throw read.error(['metadata'], 'the Node has no name')
  const report: NodeReport = defined({
    capacity: read.quantities('capacity', status?.capacity, ['status']),
    allocatable: read.quantities('allocatable', status?.allocatable, ['status']),
    nodeInfo: status?.nodeInfo,
  })
  const pods = Number(report.capacity?.['pods'])
  const annotations = Object.entries(read.stringMap('annotations', metadata?.annotations, ['metadata']) ?? {})
  return {
    name,
    ...defined({
      labels: read.stringMap('labels', metadata?.labels, ['metadata']),
      annotations: Object.fromEntries(annotations.filter(([key]) => !isSetByClient(key))),
      taints: taints === undefined ? undefined : readTaints(taints, read, ['spec']).filter(({ key }) => !isSetByCluster(key)),
      pods: Number.isInteger(pods) ? pods : undefined,
      unschedulable: unschedulable === true ? true : undefined,
      report,
    }),
  }
}

/** Reads the fields of one entry. For an undefined field, the result is undefined. */
class Reader {
  readonly #document: LocatedDocument
  readonly #path: Path

  constructor(document: LocatedDocument, path: Path) {
    this.#document = document
    this.#path = path
  }

  error(path: Path, message: string): FileError {
    return new FileError(this.#document.at([...this.#path, ...path]), message)
  }

  rejectUnknown(fields: Fields, known: readonly string[], under: Path = []): void {
    for (const field of Object.keys(fields))
      if (!known.includes(field)) throw this.error([...under, field], `unknown field "${field}"; known fields are ${known.join(', ')}`)
  }

  name(field: string, value: unknown, under: Path = []): string | undefined {
    if (value === undefined) return undefined
    if (typeof value !== 'string' || value.length > 240 || !/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(value))
      throw this.error([...under, field], `${field} ${JSON.stringify(value)} must be lower case letters, digits, "-" and "."`)
    return value
  }

  count(field: string, value: unknown, limit: number, under: Path = []): number | undefined {
    if (value === undefined) return undefined
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > limit)
      throw this.error([...under, field], `${field} must be a whole number from 0 to ${limit}`)
    return value as number
  }

  text(field: string, value: unknown): string | undefined {
    if (value === undefined) return undefined
    if (typeof value !== 'string' && typeof value !== 'number') throw this.error([field], `${field} must be a string`)
    return String(value)
  }

  strings(field: string, value: unknown): string[] {
    if (!Array.isArray(value) || value.length === 0 || !value.every((one) => typeof one === 'string' || typeof one === 'number'))
      throw this.error([field], `${field} must be a list of strings`)
    return value.map(String)
  }

  quantity(field: string, value: unknown, under: Path = []): string | undefined {
    if (value === undefined) return undefined
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text !== 'string' || parseQuantity(text) === undefined || text.startsWith('-'))
      throw this.error([...under, field], `${field} ${JSON.stringify(value)} is not a quantity; write it like 4, 500m or 16Gi`)
    return text
  }

  quantities(field: string, value: unknown, under: Path = []): Record<string, string> | undefined {
    const map = this.#map(field, value, under)
    return map && Object.fromEntries(Object.entries(map).map(([key, one]) => [key, this.quantity(key, one, [...under, field])!]))
  }

  stringMap(field: string, value: unknown, under: Path = []): Record<string, string> | undefined {
    const map = this.#map(field, value, under)
    if (map === undefined) return undefined
    for (const [key, one] of Object.entries(map))
      if (typeof one === 'object') throw this.error([...under, field, key], `${field}: ${JSON.stringify(key)} must be a string`)
    return Object.fromEntries(Object.entries(map).map(([key, one]) => [key, String(one)]))
  }

  #map(field: string, value: unknown, under: Path): Fields | undefined {
    if (value === undefined) return undefined
    if (!isJsonObject(value)) throw this.error([...under, field], `${field} must be a map`)
    return value
  }
}
