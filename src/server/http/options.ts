// The query options of Kubernetes, with its error messages.
import { type FieldError, forbidden, notSupported, required } from '../../api/machinery/field-error.ts'
import { badRequestError, invalidError } from '../../api/machinery/status-error.ts'
import { validateFieldManager } from '../../api/machinery/validation/metadata.ts'
import { readDurationMs } from '../../base/duration.ts'
import { validateDryRun } from '../rest/deletion-rules.ts'
import type { Caller, FieldValidation, ListQuery, PatchFormat, PatchQuery, WatchQuery, WriteOptions } from '../rest/rest.ts'
import type { Query } from './query.ts'

export interface ListOptions {
  readonly watch: boolean
  readonly timeoutSeconds?: number
  readonly list: ListQuery
  readonly watching: WatchQuery
}

/** The verbs validate combinations. `watch` is true, and `name` set, for a deprecated path such as `/watch/…/pods/a`. */
export function readListOptions(query: Query, watch: boolean, name?: string): ListOptions {
  const isWatch = query.flag('watch') === true || watch
  const allowWatchBookmarks = query.flag('allowWatchBookmarks')
  const resourceVersion = query.text('resourceVersion')
  let resourceVersionMatch = query.text('resourceVersionMatch')
  const timeoutSeconds = query.int64('timeoutSeconds')
  const limit = query.int64('limit')
  const continueToken = query.text('continue')
  let sendInitialEvents = query.flag('sendInitialEvents')
  if (isWatch && sendInitialEvents === undefined && !resourceVersionMatch && (!resourceVersion || resourceVersion === '0')) {
    sendInitialEvents = true
    resourceVersionMatch = 'NotOlderThan'
  }
  const labelSelector = query.text('labelSelector')
  const fieldSelector = withName(query.text('fieldSelector'), name)
  const selection = {
    ...(labelSelector && { labelSelector }),
    ...(fieldSelector && { fieldSelector }),
    ...(resourceVersion && { resourceVersion }),
    ...(resourceVersionMatch && { resourceVersionMatch }),
    ...(continueToken && { continue: continueToken }),
    ...(sendInitialEvents !== undefined && { sendInitialEvents }),
  }
  return {
    watch: isWatch,
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    list: { ...selection, ...(limit !== undefined && { limit }) },
    watching: { ...selection, ...(allowWatchBookmarks !== undefined && { allowWatchBookmarks }) },
  }
}

function withName(fieldSelector: string | undefined, name: string | undefined): string | undefined {
  if (name === undefined) return fieldSelector
  const wanted = `metadata.name=${name}`
  if (fieldSelector && fieldSelector !== wanted && fieldSelector !== `metadata.name==${name}`)
    throw badRequestError("fieldSelector metadata.name doesn't match requested name")
  return wanted
}

const maxManagerBytes = 128
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u

const fieldValidations = ['', 'Ignore', 'Strict', 'Warn']

let lastAgent: string | undefined
let lastManager = 'unknown'

/** The default field manager of a request: its User-Agent up to the first slash. */
export function managerOf(userAgent: string | undefined): string {
  // Consecutive requests usually come from the same client.
  if (userAgent === lastAgent) return lastManager
  let manager = ''
  for (const rune of (userAgent ?? '').split('/')[0]!) {
    if (unprintable.test(rune)) continue
    if (Buffer.byteLength(manager) + Buffer.byteLength(rune) > maxManagerBytes) break
    manager += rune
  }
  lastAgent = userAgent
  lastManager = manager === '' ? 'unknown' : manager
  return lastManager
}

export interface WriteRequest {
  readonly query: Query
  readonly caller: Caller
  readonly userAgent: string | undefined
  readonly warn: (sentence: string) => void
}

export function readWriteOptions(kind: 'CreateOptions' | 'UpdateOptions', request: WriteRequest): WriteOptions {
  const { query, caller, userAgent, warn } = request
  if (!query.isEmpty) return checked(kind, request, [])
  return { caller, manager: managerOf(userAgent), dryRun: false, fieldValidation: 'Warn', warn }
}

export function readPatchOptions(format: PatchFormat, request: WriteRequest): PatchQuery {
  const { query } = request
  const force = query.flag('force')
  const errors: FieldError[] = []
  if (format === 'apply') {
    if (!query.text('fieldManager')) errors.push(required('fieldManager', 'is required for apply patch'))
  } else if (force !== undefined) errors.push(forbidden('force', 'may not be specified for non-apply patch'))
  return { ...checked('PatchOptions', request, errors), ...(force !== undefined && { force }) }
}

function checked(kind: string, { query, caller, userAgent, warn }: WriteRequest, found: FieldError[]): WriteOptions {
  const manager = query.text('fieldManager') ?? ''
  const dryRun = query.all('dryRun')
  const fieldValidation = query.text('fieldValidation') ?? ''
  const errors = [...found, ...validateFieldManager(manager, 'fieldManager'), ...validateDryRun(dryRun)]
  if (!fieldValidations.includes(fieldValidation)) errors.push(notSupported('fieldValidation', fieldValidation, fieldValidations))
  if (errors.length > 0) throw invalidError({ group: 'meta.k8s.io', kind }, '', errors)
  return {
    caller,
    manager: manager === '' ? managerOf(userAgent) : manager,
    dryRun: dryRun.length > 0,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
    warn,
  }
}

/** `?timeout=32s` in milliseconds; 0 when absent. */
export function readTimeoutMs(query: Query): number {
  const text = query.text('timeout')
  if (!text || text === '0') return 0
  const refuse = (why: string) =>
    badRequestError(`invalid timeout specified in the request URL - time: ${why} duration ${JSON.stringify(text)}`)
  if (/^[+-]?[0-9.]+$/.test(text) && /[0-9]/.test(text)) throw refuse('missing unit in')
  const ms = /[d\s]/.test(text) ? undefined : readDurationMs(text.replace(/^[+-]/, ''))
  if (ms === undefined) throw refuse('invalid')
  return text.startsWith('-') ? 0 : ms
}
