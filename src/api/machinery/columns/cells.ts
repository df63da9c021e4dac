// Columns and cells that several kinds share.

import { formatAge } from '../../../base/human-duration.ts'
import { formatRequirements, type LabelSelectorObject, selectorRequirements } from '../../../base/label-selector.ts'
import type { ColumnDefinition, Columns } from '../kind.ts'
import type { KubernetesObject } from '../types.ts'

export const text = (name: string, description: string, priority = 0): ColumnDefinition => ({ name, type: 'string', description, priority })
export const integer = (name: string, description: string): ColumnDefinition => ({ name, type: 'integer', description, priority: 0 })
export const boolean = (name: string, description: string): ColumnDefinition => ({ name, type: 'boolean', description, priority: 0 })

export const nameColumn: ColumnDefinition = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object, unique among its kind in its namespace.',
  priority: 0,
}
export const ageColumn = text('Age', 'The time since the object was created.')
export const containersColumn = text('Containers', 'The names of the containers.', 1)
export const imagesColumn = text('Images', 'The images of the containers.', 1)
const selectorColumn = text('Selector', 'Which pods belong to it.', 1)

export const nameOf = (object: KubernetesObject) => object.metadata?.name ?? ''
export const ageOf = (object: KubernetesObject, nowMs: number) => formatAge(object.metadata?.creationTimestamp, nowMs)

interface Named {
  readonly name?: string
  readonly image?: string
}

/** The names and the images, each joined by commas. */
export function containerCells(containers: readonly Named[] | undefined | null): [string, string] {
  const all = containers ?? []
  return [all.map(({ name }) => name ?? '').join(','), all.map(({ image }) => image ?? '').join(',')]
}

export function selectorCell(selector: LabelSelectorObject | undefined | null): string {
  if (selector === undefined || selector === null) return '<none>'
  try {
    return formatRequirements(selectorRequirements(selector) ?? []) || '<none>'
  } catch {
    return '<error>'
  }
}

/** Labels as `a=b,c=d`, sorted. */
export function labelsCell(labels: Readonly<Record<string, string>> | undefined | null): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`)
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',')
}

/** The first three, and how many more there are. */
export function shortList(all: readonly string[]): string {
  if (all.length === 0) return '<unset>'
  return all.length <= 3 ? all.join(',') : `${all.slice(0, 3).join(',')} + ${all.length - 3} more...`
}

export const wideColumns = [containersColumn, imagesColumn, selectorColumn]

/** For kinds whose table has only name and age. A kind without columns shows the time of creation instead of the age. */
export const nameAndAge: Columns<KubernetesObject> = {
  definitions: [nameColumn, ageColumn],
  cells: (object, nowMs) => [nameOf(object), ageOf(object, nowMs)],
}
