// Reads orders for faults of single clients.
import { findKind } from '../../api/kind-names.ts'
import { badRequestError } from '../../api/machinery/status-error.ts'
import type { CallSelection } from './call-selection.ts'
import { clientRefusalCodes } from './client-faults.ts'
import type { ClientRule, Trigger } from './client-rules.ts'
import { oneOf, readDurationField, readVerbs } from './fault-order.ts'
import type { ClientOrder } from './fault-types.ts'

const defaultDelayMs = 200

/** Throws a StatusError (400) that says what is wrong. */
export function readClientRule(order: ClientOrder): ClientRule {
  const { action, agents, users, verbs, kinds, namespaces, names, subresources, code, delay, skip, times, back, after, until } = order
  const isTimed = action === 'delay' || action === 'slow'
  if (code !== undefined && action !== 'refuse') throw badRequestError('only the action refuse has a code')
  if (delay !== undefined && !isTimed) throw badRequestError('only the actions delay and slow have a delay')
  if (back !== undefined && action !== 'rewind') throw badRequestError('only the action rewind has revisions to go back')
  if (code !== undefined && !clientRefusalCodes.includes(code))
    throw badRequestError(`code must be ${oneOf(clientRefusalCodes.map(String))}`)
  for (const [name, value, min] of [
    ['skip', skip, 0],
    ['times', times, 1],
    ['back', back, 0],
  ] as const)
    if (value !== undefined && !(Number.isInteger(value) && value >= min))
      throw badRequestError(`${name} must be a whole number of at least ${min}`)
  const clients = { ...(agents?.length && { agents }), ...(users?.length && { users }) }
  return {
    effect: action,
    on: {
      ...clients,
      ...(verbs?.length && { verbs: readVerbs(verbs) }),
      ...(kinds?.length && { plurals: pluralsOf(kinds) }),
      ...(namespaces?.length && { namespaces }),
      ...(names?.length && { names }),
      ...(subresources?.length && { subresources }),
    },
    ...(after && { after: readTrigger('after', after, clients) }),
    ...(until && { until: readTrigger('until', until, clients) }),
    ...(skip !== undefined && { skip }),
    ...(times !== undefined && { times }),
    ...(action === 'refuse' && { code: code ?? 503 }),
    ...(isTimed && { delayMs: delay === undefined ? defaultDelayMs : readDurationField('delay', delay) }),
    ...(back !== undefined && { back }),
  }
}

/** `patch statefulsets 3`: the third of these requests by the same clients. The number may be left out. */
function readTrigger(field: string, text: string, clients: CallSelection): Trigger {
  const [verbs = '', kinds = '', count = '1', ...more] = text.trim().split(/\s+/)
  if (verbs === '' || kinds === '' || more.length > 0 || !/^[1-9][0-9]*$/.test(count))
    throw badRequestError(`cannot read ${field} ${JSON.stringify(text)}. Write verbs, kinds and a number, such as "patch statefulsets 3"`)
  return { on: { ...clients, verbs: readVerbs(verbs.split(',')), plurals: pluralsOf(kinds.split(',')) }, count: Number(count) }
}

/** Any name of a built-in kind; custom resources are given by their plural. */
const pluralsOf = (kinds: readonly string[]) => kinds.map((name) => findKind(name)?.plural ?? name.toLowerCase())
