// Fault injection: requests that are delayed or refused on demand.
import type { StatusError } from '../../api/machinery/status-error.ts'
import { type Clock, sleep } from '../../base/clock.ts'
import { methodVerbs } from '../auth/request-attributes.ts'
import type { Route } from './route.ts'

export interface RequestFault {
  readonly delayMs: number
  readonly error?: StatusError
}

/** The fault of a request, if any. `agent` is its User-Agent. */
export type FindFault = (verb: string, plural: string, agent: string) => RequestFault | undefined

const collectionVerbs: Readonly<Record<string, string>> = { ...methodVerbs, GET: 'list', DELETE: 'deletecollection' }

/** The Kubernetes verb of a request; undefined for paths that are not resources. */
export function verbOf(route: Route, method: string, isWatch: boolean): string | undefined {
  if (!('kind' in route)) return undefined
  if (isWatch) return 'watch'
  return (route.type === 'collection' ? collectionVerbs : methodVerbs)[method]
}

/** Resolves after the delay, or rejects with the error of the fault. */
export async function applyFault({ delayMs, error }: RequestFault, clock: Clock): Promise<void> {
  if (delayMs > 0) await sleep(clock, delayMs)
  if (error !== undefined) throw error
}
