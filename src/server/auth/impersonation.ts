// Impersonation (`kubectl --as`), which requires system:masters.
import { badRequestError, forbiddenError } from '../../api/machinery/status-error.ts'
import type { Caller } from '../rest/rest.ts'
import { authenticatedGroup } from './authenticator.ts'

export const mastersGroup = 'system:masters'
const unauthenticatedGroup = 'system:unauthenticated'
const anonymous = 'system:anonymous'
const serviceAccountUser = /^system:serviceaccount:([^:]+):([^:]+)$/

interface HeaderReader {
  header(name: string): string | undefined
  headerValues(name: string): string[]
  headerNames(): string[]
}

/** The impersonated caller, or the original one without impersonation headers. */
export function impersonate(caller: Caller, headers: HeaderReader): Caller {
  const name = headers.header('impersonate-user')
  if (!name) {
    const asked = headers
      .headerNames()
      .find((one) => one === 'impersonate-uid' || one === 'impersonate-group' || one.startsWith('impersonate-extra-'))
    if (asked !== undefined) throw badRequestError(`requested ${asked} without impersonating a user name`)
    return caller
  }
  if (!caller.groups.includes(mastersGroup))
    throw forbiddenError(
      { group: '', plural: 'users' },
      name,
      `User "${caller.name}" cannot impersonate resource "users" in API group "" at the cluster scope`,
    )
  const asked = headers.headerValues('impersonate-group')
  const namespace = serviceAccountUser.exec(name)?.[1]
  const groups =
    asked.length === 0 && namespace !== undefined ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] : [...asked]
  const everyone = name === anonymous ? unauthenticatedGroup : authenticatedGroup
  if (!groups.includes(everyone) && !groups.includes(unauthenticatedGroup)) groups.push(everyone)
  const uid = headers.header('impersonate-uid')
  return { name, groups, ...(uid && { uid }) }
}
