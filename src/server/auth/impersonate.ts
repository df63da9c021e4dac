// Acting as somebody else (`kubectl --as`), which the masters may.
import { badRequestError, forbiddenError } from '../../api/machinery/status-error.ts'
import type { Caller } from '../rest/rest.ts'
import { everyoneAuthenticated } from './authenticator.ts'

export const masters = 'system:masters'
const everyoneElse = 'system:unauthenticated'
const anonymous = 'system:anonymous'
const serviceAccountUser = /^system:serviceaccount:([^:]+):([^:]+)$/

interface HeaderReader {
  header(name: string): string | undefined
  headerValues(name: string): string[]
  headerNames(): string[]
}

/** The caller that the headers ask for, or the one who asks where they ask for none. */
export function impersonate(caller: Caller, headers: HeaderReader): Caller {
  const name = headers.header('impersonate-user')
  if (!name) {
    const asked = headers
      .headerNames()
      .find((one) => one === 'impersonate-uid' || one === 'impersonate-group' || one.startsWith('impersonate-extra-'))
    if (asked !== undefined) throw badRequestError(`requested ${asked} without impersonating a user name`)
    return caller
  }
  if (!caller.groups.includes(masters))
    throw forbiddenError(
      { group: '', plural: 'users' },
      name,
      `User "${caller.name}" cannot impersonate resource "users" in API group "" at the cluster scope`,
    )
  const asked = headers.headerValues('impersonate-group')
  const namespace = serviceAccountUser.exec(name)?.[1]
  const groups =
    asked.length === 0 && namespace !== undefined ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] : [...asked]
  const everyone = name === anonymous ? everyoneElse : everyoneAuthenticated
  if (!groups.includes(everyone) && !groups.includes(everyoneElse)) groups.push(everyone)
  const uid = headers.header('impersonate-uid')
  return { name, groups, ...(uid && { uid }) }
}
