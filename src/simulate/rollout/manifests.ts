// Reads manifests into objects, each with its place in the file. Pure.

import type * as Yaml from 'yaml'
import type { Document, LineCounter, ScalarTag, Node as YamlNode } from 'yaml'
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { getOrAdd } from '../../base/maps.ts'
import { parseQuantity } from '../../base/quantity.ts'
import { kindOfObject } from '../objects.ts'
import { InputError } from './input-error.ts'
import { isMadeByController, withoutServerFields } from './live-fields.ts'
import { numberRanges } from './number-ranges.ts'
import type { Place, PlannedObject } from './plan.ts'

export interface SourceText {
  readonly name: string
  readonly text: string
}

/** Objects of a program or a cluster, which were never text. */
export interface SourceObjects {
  readonly name: string
  readonly objects: readonly KubernetesObject[]
}

export type Source = SourceText | SourceObjects

/** A YAML document, and the places of its nodes. */
export interface ReadDocument {
  readonly document: Document.Parsed
  placeOf(node: unknown): Place
}

const words = (text: string) => new RegExp(`^(?:${text})$`)
/** What kubectl reads as YAML 1.1 has it: `0644` is octal, `yes` and `off` are booleans. */
const kubectlTags: ScalarTag[] = [
  {
    tag: 'tag:yaml.org,2002:int',
    default: true,
    format: 'OCT',
    test: /^[-+]?0[0-7]+$/,
    resolve: (text: string) => Number.parseInt(text, 8),
  },
  { tag: 'tag:yaml.org,2002:bool', default: true, test: words('y|Y|yes|Yes|YES|on|On|ON'), resolve: () => true },
  { tag: 'tag:yaml.org,2002:bool', default: true, test: words('n|N|no|No|NO|off|Off|OFF'), resolve: () => false },
]

const known = new WeakMap<SourceText, ReadDocument[]>()

/** Reads YAML, and thus JSON; each source once. Throws an InputError with the place of the first mistake. */
export const readDocuments = (yaml: typeof Yaml, source: SourceText): readonly ReadDocument[] =>
  getOrAdd(known, source, () => parseDocuments(yaml, source))

function parseDocuments(yaml: typeof Yaml, { name, text }: SourceText): ReadDocument[] {
  const lineCounter = new yaml.LineCounter()
  const documents = yaml.parseAllDocuments(text, {
    lineCounter,
    prettyErrors: false,
    uniqueKeys: true,
    merge: true,
    customTags: (tags) => [...kubectlTags, ...tags],
  })
  return [...documents].map((document) => {
    const [error] = document.errors
    const place = templateAt(yaml, document as Document.Parsed, text)
    if (place !== undefined) throw new InputError(notRendered, placeAt(name, lineCounter, place))
    if (error !== undefined) throw new InputError(`not YAML: ${firstLine(error.message)}`, placeAt(name, lineCounter, error.pos[0]))
    return { document: document as Document.Parsed, placeOf: (node) => placeAt(name, lineCounter, (node as YamlNode | null)?.range?.[0]) }
  })
}

const notRendered = 'this is a template, which has to be rendered. Run helm template NAME CHART | rollcall simulate -f -'

/** The offset of `{{ … }}` outside of a string. Undefined: there is none. */
function templateAt(yaml: typeof Yaml, document: Document.Parsed, text: string): number | undefined {
  if (!text.includes('{{')) return undefined
  let found: number | undefined
  yaml.visit(document, {
    Pair(_, { key }) {
      if (!yaml.isMap(key)) return undefined
      found = key.range?.[0]
      return yaml.visit.BREAK
    },
  })
  return found ?? (/^\s*\{\{-?\s/m.test(text) ? document.errors[0]?.pos[0] : undefined)
}

function placeAt(source: string, lineCounter: LineCounter, offset: number | undefined): Place {
  if (offset === undefined) return { source }
  const { line, col } = lineCounter.linePos(offset)
  return { source, line, column: col }
}

const firstLine = (text: string) => text.split('\n')[0]!.replace(/[:.]$/, '')

/** The objects of a manifest, and the items of its lists. */
export function readManifest(yaml: typeof Yaml, source: Source): PlannedObject[] {
  const objects: PlannedObject[] = []
  const take = (value: unknown, node: unknown, placeOf: ReadDocument['placeOf']) => {
    const place = placeOf(node)
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new InputError(`not a Kubernetes object: found ${describe(value)} instead of apiVersion, kind and metadata`, place)
    const object = value as KubernetesObject & { readonly items?: unknown }
    if (typeof object.kind !== 'string' || typeof object.apiVersion !== 'string')
      throw new InputError(`not a Kubernetes object: it has no ${typeof object.kind === 'string' ? 'apiVersion' : 'kind'}`, place)
    if (object.kind.endsWith('List') && Array.isArray(object.items)) {
      const items = yaml.isMap(node) ? node.get('items', true) : undefined
      for (const [index, item] of object.items.entries()) take(item, yaml.isSeq(items) ? items.items[index] : node, placeOf)
      return
    }
    objects.push({ object, place, ...(node !== undefined && { fields: fieldsOf(yaml, node, placeOf) }) })
  }
  if ('objects' in source) {
    for (const object of source.objects) take(object, undefined, () => ({ source: source.name }))
    return objects
  }
  for (const { document, placeOf } of readDocuments(yaml, source)) {
    const value: unknown = document.toJS({ maxAliasCount: 1000 })
    if (value !== null && value !== undefined) take(value, document.contents, placeOf)
  }
  return objects
}

type Fields = NonNullable<PlannedObject['fields']>

function fieldsOf(yaml: typeof Yaml, root: unknown, placeOf: ReadDocument['placeOf']): Fields {
  const fields = new Map<string, readonly [number, number]>()
  const walk = (node: unknown, path: string) => {
    const { line, column } = placeOf(node)
    if (path !== '' && line !== undefined && column !== undefined) fields.set(path, [line, column])
    const inner = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`)
    if (yaml.isMap(node))
      for (const { key, value } of node.items) walk(value ?? key, inner(String((key as { value?: unknown } | null)?.value ?? '')))
    else if (yaml.isSeq(node)) for (const [index, item] of node.items.entries()) walk(item, inner(index))
  }
  walk(root, '')
  return fields
}

/** The place of a field that the server names (`spec.containers[0].image`), or of its nearest parent. */
export function placeOfField({ place, fields }: PlannedObject, field: string): Place {
  const path = field.replaceAll(/\[([^\]]*)\]/g, '.$1').split('.')
  for (let length = path.length; length > 0; length--) {
    const found = fields?.get(path.slice(0, length).join('.'))
    if (found !== undefined) return { source: place.source, line: found[0], column: found[1] }
  }
  return place
}

/** Throws an InputError for an invalid quantity: the server would not name the place. */
export function checkQuantities(planned: PlannedObject): void {
  const fields = planned.object.kind === 'LimitRange' ? limitFields : amountFields
  const check = (value: unknown, path: string, isAmount: boolean) => {
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value))
        check(inner, `${path}.${name}`, isAmount || (fields.has(name) && !Array.isArray(inner)))
    else if (isAmount && (typeof value === 'string' || typeof value === 'number') && parseQuantity(String(value)) === undefined)
      throw new InputError(`"${value}" is not a quantity. Write a quantity such as 500m, 2 or 4Gi`, placeOfField(planned, path.slice(1)))
  }
  for (const [name, value] of Object.entries(planned.object)) if (name === 'spec') check(value, `.${name}`, false)
}

/** Throws an InputError for more pods than can be simulated: the server takes two thousand million. */
export function checkSize(planned: PlannedObject): void {
  const [, greatest] = numberRanges.replicas
  const { spec } = planned.object as { readonly spec?: Readonly<Record<string, unknown>> | null }
  for (const field of ['replicas', 'parallelism'])
    if (Number(spec?.[field]) > greatest)
      throw new InputError(
        `cannot simulate ${String(spec![field])} pods of one workload. The maximum is ${greatest}`,
        placeOfField(planned, `spec.${field}`),
      )
}

const amountFields = new Set(['requests', 'limits', 'hard'])
const limitFields = new Set(['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'])

const describe = (value: unknown) => (Array.isArray(value) ? 'a list' : value === null ? 'nothing' : `a ${typeof value}`)

/** These have no effect on pods, or call servers that are not simulated. */
const ignoredKinds = new Set([
  'APIService',
  'CustomResourceDefinition',
  'Gateway',
  'HTTPRoute',
  'Ingress',
  'IngressClass',
  'MutatingWebhookConfiguration',
  'NetworkPolicy',
  'ValidatingWebhookConfiguration',
  'VerticalPodAutoscaler',
])

/** Helm runs these at moments of its own, before or after what it installs. */
const isHelmHook = ({ metadata }: KubernetesObject) => metadata?.annotations?.['helm.sh/hook'] !== undefined

interface SortedObjects {
  readonly applied: readonly PlannedObject[]
  /** Such as `Ingress/web`. */
  readonly ignored: readonly string[]
}

/** Leaves out objects that have no effect in a simulation, and objects that a controller creates. */
export function sortObjects(objects: readonly PlannedObject[]): SortedObjects {
  const ignored = new Set<string>()
  const applied = objects.filter(({ object, place }) => {
    const name = `${object.kind}/${object.metadata?.name ?? ''}`
    const isIgnored = ignoredKinds.has(object.kind ?? '')
    if (object.apiVersion?.startsWith('extensions/v1beta1') && isMoved(object))
      throw new InputError(`Kubernetes no longer has ${object.kind} in extensions/v1beta1. Change its apiVersion to apps/v1`, place)
    if (object.kind === 'Rollout' && object.apiVersion?.startsWith('argoproj.io/'))
      throw new InputError('a Rollout of Argo is not simulated. Simulate a Deployment with its template, replicas and maxSurge', place)
    if (isMadeByController(object)) ignored.add(name)
    else if (isHelmHook(object)) ignored.add(`${name} (a Helm hook)`)
    else if (kindOf(object) !== undefined && !isIgnored) return true
    else if (!isIgnored && isBuiltIn(object)) throw new InputError(`no such kind: "${object.kind}" in "${object.apiVersion}"`, place)
    else ignored.add(name)
    return false
  })
  for (const one of applied) {
    checkQuantities(one)
    checkSize(one)
  }
  const cleaned = applied.map((one) => withNamespace({ ...one, object: withoutServerFields(one.object) }))
  return { applied: cleaned, ignored: [...ignored] }
}

const isMoved = ({ kind = '' }: KubernetesObject) => ['Deployment', 'DaemonSet', 'ReplicaSet'].includes(kind)

const isBuiltIn = ({ apiVersion = '' }: KubernetesObject) => !apiVersion.includes('/') || /^(apps|batch|policy)\//.test(apiVersion)

/** Undefined where the server does not have it. */
function kindOf(object: KubernetesObject): Kind | undefined {
  try {
    return kindOfObject(object)
  } catch {
    return undefined
  }
}

function withNamespace(planned: PlannedObject): PlannedObject {
  const { object } = planned
  if (!kindOf(object)?.namespaced || object.metadata?.namespace !== undefined) return planned
  return { ...planned, object: { ...object, metadata: { ...object.metadata, namespace: 'default' } } }
}
