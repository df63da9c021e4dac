// The columns that `kubectl get` prints of custom resources.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor.convertor.ConvertToTable, cellForJSONValue
import { once } from '../../../base/cached.ts'
import { formatAge } from '../../../base/duration.ts'
import type { ColumnDefinition, Columns } from '../kind.ts'
import type { KubernetesObject } from '../types.ts'
import type { PrinterColumn } from './definition.ts'
import { findJsonPath, type JsonPath, type PathWork, parseJsonPath, workOfRow } from './json-path.ts'

const nameColumn: ColumnDefinition = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  priority: 0,
}

const age: PrinterColumn = {
  name: 'Age',
  type: 'date',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  jsonPath: '.metadata.creationTimestamp',
}

type Cell = string | number | boolean | null

export function customColumns(given: readonly PrinterColumn[] | undefined): Columns<KubernetesObject> {
  const columns = given === undefined || given.length === 0 ? [age] : given
  // Paths are parsed when the first object is printed.
  const paths = once(() => columns.map(({ jsonPath }) => parseJsonPath(jsonPath)))
  return {
    definitions: [
      nameColumn,
      ...columns.map(({ name, type, format, description, priority }) => ({
        name,
        type: type as ColumnDefinition['type'],
        ...(format !== undefined && { format }),
        description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPathOf(columns, name)}`,
        priority: priority ?? 0,
      })),
    ],
    cells: (object, nowMs) => {
      const work = workOfRow()
      return [object.metadata?.name ?? '', ...columns.map((column, at) => cellOf(column, paths()[at]!, object, nowMs, work))]
    },
  }
}

const jsonPathOf = (columns: readonly PrinterColumn[], name: string) => columns.find((column) => column.name === name)?.jsonPath ?? ''

function cellOf({ type }: PrinterColumn, path: JsonPath | string, object: KubernetesObject, nowMs: number, work: PathWork): Cell {
  if (typeof path === 'string') return null
  const value = findJsonPath(path, object, work)
  if (value === undefined) return null
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' ? formatAge(value, nowMs) : '<unknown>'
    default:
      return show(value)
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null ? '<nil>' : typeof value === 'object' ? JSON.stringify(value) : String(value)
}
