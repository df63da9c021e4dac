// meta/v1 Table, the output of kubectl get. Encoded row by row, so that a long list is never one object in memory.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/handlers.asTable
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.defaultTableConvertor.ConvertToTable
// Kubernetes: pkg/printers.HumanReadableGenerator.GenerateTable

import type { ColumnDefinition, Columns, Kind } from '../api/machinery/kind.ts'
import type { KubernetesObject } from '../api/types.ts'
import { formatTime, parseTime } from '../base/clock.ts'
import { getOrAdd } from '../base/maps.ts'
import { metadataJson, withKind } from './http/json-encoding.ts'
import type { ObjectResponse } from './rest/rest.ts'

export type IncludeObject = 'Metadata' | 'Object' | 'None'

export interface TableStyle {
  readonly include: IncludeObject
  /** The version of meta.k8s.io. */
  readonly version: 'v1' | 'v1beta1'
}

const defaultDefinitions: readonly ColumnDefinition[] = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    description:
      'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  },
  {
    name: 'Created At',
    type: 'date',
    description:
      'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  },
]

// Go's zero time.
const noTime = '0001-01-01T00:00:00Z'

const defaultColumns: Columns<KubernetesObject> = {
  definitions: defaultDefinitions,
  cells: ({ metadata }) => {
    const createdMs = parseTime(metadata?.creationTimestamp ?? '')
    return [metadata?.name ?? '', Number.isNaN(createdMs) ? noTime : formatTime(createdMs)]
  },
}

const definitionTexts = new WeakMap<Kind, string>()

function definitionsText(kind: Kind): string {
  return getOrAdd(definitionTexts, kind, () => {
    const { definitions } = kind.columns ?? defaultColumns
    return JSON.stringify(
      definitions.map(({ name, type, format = '', description, priority = 0 }) => ({ name, type, format, description, priority })),
    )
  })
}

/** The JSON before the first row. Without `headers` the column definitions are null: a watch sends them once. */
export function tableHead(kind: Kind, metadata: string, { version }: TableStyle, headers = true): string {
  const definitions = headers ? definitionsText(kind) : 'null'
  return `{"kind":"Table","apiVersion":"meta.k8s.io/${version}","metadata":${metadata},"columnDefinitions":${definitions},"rows":[`
}

export const tableTail = ']}'

export function tableRow(response: ObjectResponse, { include, version }: TableStyle, nowMs: number): string {
  const columns = (response.kind.columns ?? defaultColumns) as Columns<KubernetesObject>
  const cells = JSON.stringify(columns.cells(response.object, nowMs))
  const conditions = columns.conditions?.(response.object) ?? []
  const object = include === 'None' ? 'null' : include === 'Object' ? withKind(response) : partialObject(response, version)
  return `{"cells":${cells},${conditions.length === 0 ? '' : `"conditions":${JSON.stringify(conditions)},`}"object":${object}}`
}

/** The object as PartialObjectMetadata. */
export function partialObject({ kind, json: text }: ObjectResponse, version: TableStyle['version']): string {
  const { wholeObjectAnnotations: hidden } = kind
  const metadata = hidden === undefined ? metadataJson(text) : withoutAnnotations(metadataJson(text), hidden)
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":${metadata}}`
}

function withoutAnnotations(text: string, names: readonly string[]): string {
  const metadata = JSON.parse(text) as { annotations?: Record<string, string> }
  for (const name of names) delete metadata.annotations?.[name]
  if (Object.keys(metadata.annotations ?? {}).length === 0) delete metadata.annotations
  return JSON.stringify(metadata)
}
