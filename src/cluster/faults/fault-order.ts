// Decodes a request for a fault and validates it.
import { findKind } from '../../api/kind-names.ts'
import { badRequestError } from '../../api/machinery/status-error.ts'
import { readSecondsOrDurationMs } from '../../base/duration.ts'
import type { RefusalCode } from './api-faults.ts'
import { apiActions, apiVerbs, clientActions, controllerActions, type FaultOrder, nodeActions, podActions } from './fault-types.ts'

const refusalCodes = [429, 500, 503]

type Fields = Readonly<Record<string, unknown>>

const allowed: Readonly<Record<string, readonly string[]>> = {
  node: ['name', 'action', 'for'],
  pod: ['name', 'namespace', 'action', 'container', 'exitCode', 'for'],
  api: ['action', 'delay', 'share', 'code', 'verbs', 'kinds', 'agents', 'for'],
  client: [
    'action',
    'agents',
    'users',
    'verbs',
    'kinds',
    'namespaces',
    'names',
    'subresources',
    'skip',
    'times',
    'code',
    'delay',
    'back',
    'after',
    'until',
    'for',
  ],
  controller: ['name', 'action', 'for'],
}
const actions: Readonly<Record<string, readonly string[]>> = {
  node: nodeActions,
  pod: podActions,
  api: apiActions,
  client: clientActions,
  controller: controllerActions,
}

export const oneOf = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/** Throws a StatusError (400) that says what is wrong. */
export function readFaultOrder(body: unknown): FaultOrder {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badRequestError('a fault is a JSON object')
  const fields = body as Fields
  const target = String(fields['target'])
  const known = Object.hasOwn(allowed, target) ? allowed[target]! : undefined
  if (known === undefined)
    throw badRequestError(`cannot inject a fault into ${JSON.stringify(target)}. The target must be ${oneOf(Object.keys(allowed))}`)
  for (const name of Object.keys(fields))
    if (name !== 'target' && !known.includes(name))
      throw badRequestError(`a fault of target ${target} has no field ${JSON.stringify(name)}`)
  if (!actions[target]!.includes(String(fields['action'])))
    throw badRequestError(
      `a fault of target ${target} has no action ${JSON.stringify(fields['action'] ?? '')}. The action must be ${oneOf(actions[target]!)}`,
    )
  for (const name of ['name', 'namespace', 'container', 'for', 'delay', 'share', 'after', 'until']) requireString(fields, name)
  for (const name of ['verbs', 'kinds', 'agents', 'users', 'namespaces', 'names', 'subresources']) requireStrings(fields, name)
  if (known.includes('name') && !fields['name']) throw badRequestError(`a fault of target ${target} needs a name`)
  if (fields['for'] !== undefined) readDurationField('for', String(fields['for']))
  const { exitCode } = fields
  if (exitCode !== undefined && !(Number.isInteger(exitCode) && (exitCode as number) >= 0 && (exitCode as number) <= 255))
    throw badRequestError('exitCode must be a whole number from 0 to 255')
  return fields as unknown as FaultOrder
}

function requireString(fields: Fields, name: string): void {
  if (fields[name] !== undefined && typeof fields[name] !== 'string') throw badRequestError(`${name} must be a string`)
}

function requireStrings(fields: Fields, name: string): void {
  const value = fields[name]
  if (value !== undefined && !(Array.isArray(value) && value.every((one) => typeof one === 'string')))
    throw badRequestError(`${name} must be a list of strings`)
}

/** In milliseconds. Throws a StatusError (400) where it is not a duration above 0. */
export function readDurationField(field: string, text: string): number {
  const ms = readSecondsOrDurationMs(text)
  if (ms === undefined || !(ms > 0))
    throw badRequestError(`cannot read ${field} ${JSON.stringify(text)}. Write a duration such as 250ms, 90s or 1h30m`)
  return ms
}

/** `10%` and `0.1` are both 0.1. */
export function readShare(text: string): number {
  const match = /^([0-9]+(?:\.[0-9]+)?|\.[0-9]+)(%?)$/.exec(text.trim())
  const share = match === null ? Number.NaN : Number(match[1]) / (match[2] === '%' ? 100 : 1)
  if (!(share > 0 && share <= 1)) throw badRequestError(`cannot read share ${JSON.stringify(text)}. Write a percentage such as 10%`)
  return share
}

export function readRefusalCode(code: unknown): RefusalCode {
  if (!refusalCodes.includes(code as number)) throw badRequestError(`code must be ${oneOf(refusalCodes.map(String))}`)
  return code as RefusalCode
}

export function readVerbs(given: readonly string[]): string[] {
  return given.map((verb) => {
    const known = verb.toLowerCase()
    if (!apiVerbs.includes(known)) throw badRequestError(`there is no verb ${JSON.stringify(verb)}. It must be ${oneOf(apiVerbs)}`)
    return known
  })
}

/** Turns any name of a kind (`deploy`, `Deployment`) into its plural. */
export function readPlurals(given: readonly string[]): string[] {
  return given.map((name) => {
    const kind = findKind(name)
    if (kind === undefined) throw badRequestError(`there is no kind ${JSON.stringify(name)}`)
    return kind.plural
  })
}
