// DeleteOptions from the body or, without one, from the query.
import { parseJson } from '../../api/machinery/decode/json.ts'
import { decodeProtobuf, readEnvelope } from '../../api/machinery/decode/protobuf.ts'
import { badRequestError, isStatusError } from '../../api/machinery/status-error.ts'
import { defined } from '../../base/defined.ts'
import { messageOf } from '../../base/error-message.ts'
import { checkDeleteOptions } from '../rest/deletion-rules.ts'
import type { DeleteQuery } from '../rest/rest.ts'
import { parseYaml } from '../rest/yaml-input.ts'
import type { BodyFormat } from './media-types.ts'
import { managerOf, type WriteRequest } from './options.ts'

interface DeleteOptions {
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: string
  readonly orphanDependents?: boolean
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  readonly dryRun: readonly string[]
}

export async function readDeleteOptions(request: WriteRequest, body: Buffer, format: BodyFormat | 'protobuf'): Promise<DeleteQuery> {
  const options = body.length === 0 ? optionsOfQuery(request) : optionsOfBody(await parse(body, format))
  checkDeleteOptions(options, options.dryRun)
  const { dryRun, ...rest } = options
  return { ...rest, dryRun: dryRun.length > 0, caller: request.caller, manager: managerOf(request.userAgent), warn: request.warn }
}

function optionsOfQuery({ query }: WriteRequest): DeleteOptions {
  const uid = query.text('uid')
  return {
    ...defined({
      gracePeriodSeconds: query.int64('gracePeriodSeconds'),
      orphanDependents: query.flag('orphanDependents'),
      propagationPolicy: query.text('propagationPolicy'),
      preconditions: uid ? { uid } : undefined,
    }),
    dryRun: query.all('dryRun'),
  }
}

async function parse(bytes: Buffer, format: BodyFormat | 'protobuf'): Promise<Readonly<Record<string, unknown>>> {
  if (format === 'protobuf') return decodeProtobuf('meta.DeleteOptions', readEnvelope(bytes))
  const body = bytes.toString()
  let value: unknown
  try {
    value = format === 'yaml' ? await parseYaml(body) : parseJson(body)
  } catch (error) {
    if (isStatusError(error)) throw error
    throw badRequestError(`couldn't get version/kind; json parse error: ${messageOf(error).split('\n')[0]}`)
  }
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value))
    throw badRequestError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${goType(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    )
  return value as Readonly<Record<string, unknown>>
}

const goType = (value: unknown) => (Array.isArray(value) ? 'array' : value === true || value === false ? 'bool' : typeof value)

function optionsOfBody(body: Readonly<Record<string, unknown>>): DeleteOptions {
  const kind = nameField(body, 'kind')
  const apiVersion = nameField(body, 'apiVersion')
  if (apiVersion.split('/').length > 2) throw badRequestError(`unexpected GroupVersion string: ${apiVersion}`)
  if (kind !== '' && kind !== 'DeleteOptions')
    throw badRequestError(
      `no kind "${kind}" is registered for version "${apiVersion || 'meta.k8s.io/v1'}" in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"`,
    )
  const seconds = field(body, 'gracePeriodSeconds', 'number')
  if (seconds !== undefined && !Number.isInteger(seconds)) throw wrongType('gracePeriodSeconds', `number ${seconds}`, 'int64')
  const orphanDependents = field(body, 'orphanDependents', 'boolean')
  const propagationPolicy = field(body, 'propagationPolicy', 'string')
  const preconditions = field(body, 'preconditions', 'object')
  const dryRun = Object.hasOwn(body, 'dryRun') ? (body['dryRun'] ?? []) : []
  if (!Array.isArray(dryRun) || !dryRun.every((one) => typeof one === 'string')) throw wrongType('dryRun', goType(dryRun), '[]string')
  const uid = preconditions && field(preconditions, 'uid', 'string')
  const resourceVersion = preconditions && field(preconditions, 'resourceVersion', 'string')
  return {
    ...defined({ gracePeriodSeconds: seconds, orphanDependents, propagationPolicy }),
    ...((uid !== undefined || resourceVersion !== undefined) && { preconditions: defined({ uid, resourceVersion }) }),
    dryRun,
  }
}

interface FieldTypes {
  readonly string: string
  readonly number: number
  readonly boolean: boolean
  readonly object: Readonly<Record<string, unknown>>
}
const goTypes = { string: 'string', number: 'int64', boolean: 'bool', object: 'v1.Preconditions' } as const

function field<T extends keyof FieldTypes>(from: Readonly<Record<string, unknown>>, name: string, type: T): FieldTypes[T] | undefined {
  if (!Object.hasOwn(from, name)) return undefined
  const value = from[name]
  if (value === null || value === undefined) return undefined
  if (typeof value !== type || Array.isArray(value)) throw wrongType(name, goType(value), goTypes[type])
  return value as FieldTypes[T]
}

function nameField(from: Readonly<Record<string, unknown>>, name: 'kind' | 'apiVersion'): string {
  const value = Object.hasOwn(from, name) ? (from[name] ?? '') : ''
  if (typeof value === 'string') return value
  throw badRequestError(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${goType(value)} into Go struct field .${name} of type string`,
  )
}

const wrongType = (name: string, got: string, wanted: string) =>
  badRequestError(`json: cannot unmarshal ${got} into Go struct field DeleteOptions.${name} of type ${wanted}`)
