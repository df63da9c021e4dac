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

/** A line for each name of each kind with a type, under the kind that has the name at run time. */
function tableText(): string {
  const lines = new Map<string, string>()
  for (const kind of kinds.filter(hasType))
    for (const name of namesOf(kind)) {
      if (findKind(name) !== kind || lines.has(name)) continue
      const key = /^[A-Za-z]+$/.test(name) ? name : `'${name}'`
      lines.set(name, `  readonly ${key}: kube.${typeOf(kind)}\n`)
    }
  return `// The type of a kind by each of its names. Written from the table of kinds by its test: vitest run src/api/kind-types.test.ts -u
import type * as kube from './types.ts'

export interface KindTypes {
${[...lines.values()].join('')}}
`
}

describe('KindTypes', () => {
  it('has every name of every kind with a type', async () => {
    await expect(tableText()).toMatchFileSnapshot('./kind-types.ts')
  })
})
