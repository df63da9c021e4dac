// Columns and cells that several kinds share.
// Kubernetes: pkg/printers/internalversion.AddHandlers, formatResourceName, layoutContainerCells, translateTimestampSince
import { formatAge } from '../../../base/duration.ts'
import { formatRequirements, type LabelSelectorObject, selectorRequirements } from '../../../base/label-selector.ts'
import type { ColumnDefinition, Columns } from '../kind.ts'
import type { KubernetesObject } from '../types.ts'

type CellOf<T> = (object: T, nowMs: number) => string | number | boolean | null

interface Column<T> extends ColumnDefinition {
  readonly cell: CellOf<T>
}

export function columnsOf<T>(columns: readonly Column<T>[]): Columns<T> {
  return {
    definitions: columns,
    cells: (object, nowMs) => columns.map(({ cell }) => cell(object, nowMs)),
  }
}

const column =
  (type: ColumnDefinition['type']) =>
  <T>(name: string, description: string, cell: CellOf<T>, priority = 0): Column<T> => ({ name, type, description, priority, cell })

export const text = column('string')
export const integer = column('integer')
export const boolean = column('boolean')

export const nameOf = (object: KubernetesObject) => object.metadata?.name ?? ''

export const nameColumn: Column<KubernetesObject> = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object, unique among its kind in its namespace.',
  priority: 0,
  cell: nameOf,
}
export const ageColumn = text<KubernetesObject>('Age', 'The time since the object was created.', ({ metadata }, nowMs) =>
  formatAge(metadata?.creationTimestamp, nowMs),
)

interface Named {
  readonly name?: string
  readonly image?: string
}

/** The names and the images of the containers, each joined by commas. */
export function containerColumns<T>(containersOf: (object: T) => readonly Named[] | undefined | null, priority = 1): Column<T>[] {
  const joined = (object: T, field: keyof Named) => (containersOf(object) ?? []).map((container) => container[field] ?? '').join(',')
  return [
    text('Containers', 'The names of the containers.', (object) => joined(object, 'name'), priority),
    text('Images', 'The images of the containers.', (object) => joined(object, 'image'), priority),
  ]
}

export const selectorColumn = <T>(cell: CellOf<T>) => text('Selector', 'Which pods belong to it.', cell, 1)

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

/** For kinds whose table has only name and age. A kind without columns shows the time of creation instead of the age. */
export const nameAndAge = columnsOf<KubernetesObject>([nameColumn, ageColumn])
