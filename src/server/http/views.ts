// Sends objects and lists in the requested view.

import { type FieldError, fieldErrorMessage, invalid } from '../../api/machinery/field-error.ts'
import { apiVersionOf } from '../../api/machinery/kind.ts'
import { badRequestError } from '../../api/machinery/status-error.ts'
import type { ListResponse, ObjectResponse } from '../rest/rest.ts'
import { type IncludeObject, partialObject, type TableStyle, tableHead, tableRow, tableTail } from '../table.ts'
import { withKind } from './json-encoding.ts'
import { isPretty, unacceptable, type View } from './media-types.ts'
import type { Query } from './query.ts'
import { listMetadata, type Request } from './request.ts'

/** Throws Kubernetes' error for an unknown `includeObject`. */
export function readTableStyle(view: View, query: Query): TableStyle {
  const include = query.text('includeObject') || 'Metadata'
  if (include !== 'Metadata' && include !== 'Object' && include !== 'None') {
    const error: FieldError = invalid('includeObject', include, "must be 'Metadata', 'Object', 'None', or empty")
    throw badRequestError(`Unable to convert to Table as requested: ${fieldErrorMessage(error)}`)
  }
  return { include: include as IncludeObject, version: view.version }
}

export function sendObject(request: Request, code: number, response: ObjectResponse, view: View, nowMs: number): void | Promise<void> {
  switch (view.as) {
    case undefined:
      return request.sendJson(code, withKind(response), view)
    case 'PartialObjectMetadata':
      return request.sendJson(code, partialObject(response, view.version), view)
    case 'Table': {
      const style = readTableStyle(view, request.query)
      return request.sendJson(code, tableOfOne(response, style, nowMs), view)
    }
    case 'PartialObjectMetadataList':
      throw unacceptable(`you requested PartialObjectMetadataList, but the requested object is not a list (*${response.kind.type})`)
  }
}

export function tableOfOne(response: ObjectResponse, style: TableStyle, nowMs: number, headers = true): string {
  const resourceVersion = response.object.metadata?.resourceVersion
  const metadata = JSON.stringify(resourceVersion === undefined ? {} : { resourceVersion })
  return tableHead(response.kind, metadata, style, headers) + tableRow(response, style, nowMs) + tableTail
}

export function sendList(request: Request, list: ListResponse, view: View, nowMs: number): void | Promise<void> {
  const parts = listParts(request, list, view, nowMs)
  if (view.format === 'json' && !isPretty(view, request.query.text('pretty'))) return request.sendParts(200, 'application/json', parts)
  let text = ''
  for (const part of parts) text += part
  return request.sendJson(200, text.trimEnd(), view)
}

function listParts(request: Request, list: ListResponse, view: View, nowMs: number): Iterable<string> {
  const { kind, items } = list
  const metadata = listMetadata(list)
  switch (view.as) {
    case undefined: {
      const head = `{"kind":"${kind.listKind ?? `${kind.kind}List`}","apiVersion":"${apiVersionOf(kind)}","metadata":${metadata},"items":[`
      // As in Kubernetes, items of custom kinds say what they are.
      return join(head, items, kind.customType === undefined ? ({ json: text }) => text : withKind)
    }
    case 'PartialObjectMetadataList': {
      const head = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${view.version}","metadata":${metadata},"items":[`
      // Kubernetes adds the items one by one, so that there is no list without any.
      if (items.length === 0) return [`${head.slice(0, -1)}null}\n`]
      return join(head, items, (item) => partialObject(item, view.version))
    }
    case 'Table': {
      const style = readTableStyle(view, request.query)
      return join(tableHead(kind, metadata, style), items, (item) => tableRow(item, style, nowMs))
    }
    case 'PartialObjectMetadata':
      throw unacceptable(`you requested PartialObjectMetadata, but the requested object is a list (*${kind.type}List)`)
  }
}

function* join(head: string, items: readonly ObjectResponse[], write: (item: ObjectResponse) => string): Iterable<string> {
  yield head
  let comma = false
  for (const item of items) {
    if (comma) yield ','
    comma = true
    yield write(item)
  }
  yield ']}\n'
}
