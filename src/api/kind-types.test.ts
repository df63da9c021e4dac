import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findKind } from './kind-names.ts'
import { kinds } from './kinds.ts'
import type { Kind } from './machinery/kind.ts'

/** Kinds whose type has another name in types.ts. */
const typeNames: Readonly<Record<string, string>> = {
  Event: 'CoreEvent',
  'Event.events.k8s.io': 'Event',
  APIService: 'ApiService',
  IPAddress: 'IpAddress',
  ServiceCIDR: 'ServiceCidr',
  CSIDriver: 'CsiDriver',
  CSINode: 'CsiNode',
  CSIStorageCapacity: 'CsiStorageCapacity',
  NodeMetrics: 'OtherObject',
  PodMetrics: 'OtherObject',
}

const namesOf = ({ plural, kind, singular = kind.toLowerCase(), shortNames = [], group }: Kind) =>
  [singular, plural, kind, ...shortNames, ...(group === '' ? [] : [`${plural}.${group}`])].filter((name) => name !== '')

const typeOf = ({ kind, group }: Kind) => typeNames[`${kind}.${group}`] ?? typeNames[kind] ?? kind

const typesText = readFileSync(new URL('./types.ts', import.meta.url), 'utf8')
/** A plain kind needs no TypeScript type; without one it is not in the table. */
const hasType = (kind: Kind) => new RegExp(`^export (type|interface) ${typeOf(kind)}\\b`, 'm').test(typesText)

const maxLineLength = 140

/** A row for each kind with a type, with the names by which the kind is found at run time. */
function tableText(): string {
  const known = new Set<string>()
  const rows = kinds.filter(hasType).flatMap((kind) => {
    const names = namesOf(kind).filter((name) => findKind(name) === kind && !known.has(name))
    for (const name of names) known.add(name)
    if (names.length === 0) return []
    const hasSingular = names.includes(kind.kind) && names.includes(kind.kind.toLowerCase())
    const key = hasSingular ? kind.kind : names.at(-1)!
    const others = names.filter((name) => name !== key && name !== key.toLowerCase()).map((name) => `'${name}'`)
    const shownKey = /^[A-Za-z]+$/.test(key) ? key : `'${key}'`
    const [type, list] = [`kube.${typeOf(kind)}`, others.join(' | ') || 'never']
    const line = `  readonly ${shownKey}: [${type}, ${list}]\n`
    return [line.length <= maxLineLength + 1 ? line : `  readonly ${shownKey}: [\n    ${type},\n    ${list},\n  ]\n`]
  })
  return `// The type of a kind by each of its names. Written from the table of kinds by its test: vitest run src/api/kind-types.test.ts -u
import type * as kube from '../types.ts'

/** The type of a kind, and its names besides its key and its key in lower case. */
interface NamedKinds {
${rows.join('')}}

export type KindTypes = {
  readonly [Name in keyof NamedKinds as Name | Lowercase<Name> | NamedKinds[Name][1]]: NamedKinds[Name][0]
}
`
}

describe('KindTypes', () => {
  it('has every name of every kind with a type', async () => {
    await expect(tableText()).toMatchFileSnapshot('./generated/kind-types.ts')
  })
})
