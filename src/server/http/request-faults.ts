// Requests that are made to wait, or are refused, because somebody asked for it.
import type { StatusError } from '../../api/machinery/status-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Route } from './route.ts'

export interface RequestFault {
  readonly delayMs: number
  readonly error?: StatusError
}

/** What a request runs into; undefined for nearly all. `agent` is its User-Agent. */
export type JudgeRequest = (verb: string, plural: string, agent: string) => RequestFault | undefined

const itemVerbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}
const collectionVerbs: Readonly<Record<string, string>> = { ...itemVerbs, GET: 'list', DELETE: 'deletecollection' }

/** As Kubernetes names what is done to resources; undefined for a path that is none. */
export function verbOf(route: Route, method: string, isWatch: boolean): string | undefined {
  if (!('kind' in route)) return undefined
  if (isWatch) return 'watch'
  return (route.type === 'collection' ? collectionVerbs : itemVerbs)[method]
}

/** Resolves when the request may go on. Throws what refuses it. */
export async function sufferFault({ delayMs, error }: RequestFault, clock: Clock): Promise<void> {
  if (delayMs > 0) await new Promise<void>((resolve) => void clock.after(delayMs, resolve))
  if (error !== undefined) throw error
}
