// Content negotiation by Kubernetes' rules, in two steps: the router checks that any media type is known, then the Accept header
// is evaluated.

import { parseGoBool } from '../../api/machinery/go-text.ts'
import { failure } from '../../api/machinery/status-error.ts'
import { cached } from '../../base/cached.ts'
import type { PatchFormat } from '../rest/rest.ts'

export type BodyFormat = 'json' | 'yaml'

type Conversion = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'

/** The representation of a response. */
export interface View {
  readonly format: BodyFormat
  readonly as?: Conversion | undefined
  /** The version of meta.k8s.io that was requested with `as`. */
  readonly version: 'v1' | 'v1beta1'
  readonly pretty: boolean
}

const plainJson: View = { format: 'json', version: 'v1', pretty: false }

const json = 'application/json'
const yaml = 'application/yaml'
const protobuf = 'application/vnd.kubernetes.protobuf'
export const mediaTypes = [json, yaml, protobuf]
const streamTypes = [`${json};stream=watch`, `${protobuf};stream=watch`]
const formats: readonly { readonly type: string; readonly format: BodyFormat }[] = [
  { type: json, format: 'json' },
  { type: yaml, format: 'yaml' },
]

interface Clause {
  readonly type: string
  readonly quality: number
  readonly parameters: ReadonlyMap<string, string>
}

export const unacceptable = (message: string) => failure(406, 'NotAcceptable', message)

/** The body has another media type than these. */
export const unsupported = (accepted: readonly string[]) =>
  failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  )

const acceptsPlainJson = (accept: string | undefined) => !accept || accept === json || accept === '*/*'

// Clients send few different headers.
const maxCachedHeaders = 200
const listView = cached(maxCachedHeaders, (accept: string) => chooseView(accept, true))
const itemView = cached(maxCachedHeaders, (accept: string) => chooseView(accept, false))

/** The view of a response with a resource. `isList` affects only the message of a refusal. */
export function negotiateView(accept: string | undefined, isList: boolean): View {
  if (acceptsPlainJson(accept)) return plainJson
  return isList ? listView(accept!) : itemView(accept!)
}

/** As `negotiateView`, for kinds without columns. */
export function negotiateWithoutTable(accept: string | undefined): View {
  const view = negotiateView(accept, false)
  return view.as === 'Table' ? chooseView(accept!, false, false) : view
}

function chooseView(accept: string, isList: boolean, mayBeTable = true): View {
  requireKnown(accept, isList ? [...mediaTypes, ...streamTypes] : mediaTypes)
  for (const clause of parseAccept(accept)) {
    for (const { type, format } of formats) {
      if (!matches(clause.type, type)) continue
      const view = viewOf(clause.parameters, format)
      if (view !== undefined && (mayBeTable || view.as !== 'Table')) return view
    }
  }
  throw noneAccepted()
}

const noneAccepted = () => unacceptable(`only the following media types are accepted: ${mediaTypes.join(', ')}`)

/** The check of the router, which ignores parameters. Protobuf is listed as in Kubernetes, but not served. */
function requireKnown(accept: string, available: readonly string[]): void {
  const isKnown = accept.split(',').some((one) => {
    const type = one.split(';')[0]!.trim()
    return type === '*/*' || (type !== protobuf && available.includes(type))
  })
  if (isKnown) return
  if (accept.includes(protobuf))
    throw unacceptable(
      `the request accepts only ${accept}, and responses are not encoded as protobuf: accept ${json} too (in client-go, AcceptContentTypes: "${protobuf},${json}")`,
    )
  throw failure(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`, {})
}

/** The format of a response that is never converted, such as a discovery document. `types` are the media types that the router knows; undefined where it does not check. */
export function negotiatePlain(accept: string | undefined, types: readonly string[] | undefined): BodyFormat {
  if (accept && types !== undefined) requireKnown(accept, types)
  const format = negotiateStatus(accept)
  if (format === undefined) throw noneAccepted()
  return format
}

function viewOf(parameters: ReadonlyMap<string, string>, format: BodyFormat): View | undefined {
  const stream = parameters.get('stream')
  if (stream && (stream !== 'watch' || format === 'yaml')) return undefined
  const serverVersion = parameters.get('sv')
  if (serverVersion && serverVersion !== 'v1') return undefined
  const pretty = parameters.get('pretty') === '1'
  const [as, group, version] = [parameters.get('as'), parameters.get('g'), parameters.get('v')]
  if (as === undefined && group === undefined && version === undefined) return { format, version: 'v1', pretty }
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined
  if (as !== 'Table' && as !== 'PartialObjectMetadata' && as !== 'PartialObjectMetadataList') return undefined
  return { format, as, version, pretty }
}

/** Watches are encoded as JSON only. */
export function requireStream(view: View): void {
  if (view.format !== 'json') throw unacceptable(`only the following media types are accepted: ${streamTypes.join(', ')}`)
}

/** The format of a Status, which is never converted. Undefined when the client accepts none. */
export function negotiateStatus(accept: string | undefined): BodyFormat | undefined {
  return acceptsPlainJson(accept) ? 'json' : statusFormat(accept!)
}

const statusFormat = cached(maxCachedHeaders, (accept: string): BodyFormat | undefined => {
  for (const clause of parseAccept(accept))
    for (const { type, format } of formats)
      if (matches(clause.type, type) && !['as', 'g', 'v', 'sv'].some((name) => clause.parameters.has(name))) return format
  return undefined
})

function matches(wanted: string, offered: string): boolean {
  return wanted === offered || wanted === '*/*' || wanted === 'application/*'
}

function parseAccept(accept: string): Clause[] {
  const clauses = accept.split(',').map((text): Clause => {
    const [type = '', ...rest] = text.split(';')
    const parameters = new Map<string, string>()
    let quality = 1
    for (const one of rest) {
      const equals = one.indexOf('=')
      if (equals < 0) continue
      const [name, value] = [one.slice(0, equals).trim(), one.slice(equals + 1).trim()]
      if (name === 'q') quality = Number.isNaN(Number(value)) ? 1 : Number(value)
      else parameters.set(name, value)
    }
    return { type: type.trim(), quality, parameters }
  })
  const stars = (type: string) => (type.startsWith('*/') ? 2 : type.endsWith('/*') ? 1 : 0)
  return clauses.sort((a, b) => b.quality - a.quality || stars(a.type) - stars(b.type))
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const mediaTypePattern = new RegExp(`^\\s*(${token}/${token})\\s*(;.*)?$`)

/** The format of a body. The default is JSON. */
export function bodyFormat(contentType: string | undefined): BodyFormat | 'protobuf' {
  if (contentType === undefined || contentType === '' || contentType === json) return 'json'
  const type = mediaTypePattern.exec(contentType)?.[1]?.toLowerCase()
  if (type === protobuf) return 'protobuf'
  const found = formats.find((one) => one.type === type)
  if (found === undefined) throw unsupported(mediaTypes)
  return found.format
}

const patchTypes: ReadonlyMap<string, PatchFormat> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  ['application/strategic-merge-patch+json', 'strategic'],
  ['application/apply-patch+yaml', 'apply'],
])

export function patchFormat(contentType: string | undefined): PatchFormat {
  const format = patchTypes.get((contentType ?? '').split(';')[0]!.trim())
  if (format === undefined) throw failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
  return format
}

/** `?pretty` takes precedence over the parameter of the media type. */
export function isPretty(view: View, query: string | undefined): boolean {
  if (query === undefined || query === '') return view.pretty
  return parseGoBool(query) === true || view.pretty
}
