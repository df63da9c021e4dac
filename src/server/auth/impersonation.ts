// Impersonation (`kubectl --as`): the caller acts as another user, where rules allow it.
//
// Two kinds of rules allow it. Constrained ones name what may be impersonated (`impersonate:user-info` on users) and for which
// requests (`impersonate-on:user-info:list` on pods). The verb `impersonate` allows it for every request.
// Kubernetes: k8s.io/apiserver/pkg/endpoints/filters/impersonation.WithConstrainedImpersonation, processImpersonationHeaders
import { goQuote } from '../../api/machinery/go-text.ts'
import { badRequestError, isStatusError } from '../../api/machinery/status-error.ts'
import type { Caller } from '../rest/rest.ts'
import { requireAllowed } from './authorization.ts'
import { type Authorizer, anonymousUser, authenticatedGroup, isMaster, mastersGroup, unauthenticatedGroup } from './authorizer.ts'
import type { RequestAttributes, ResourceAttributes } from './policy-rules.ts'
import { parseServiceAccountUser, serviceAccountGroups } from './service-account-names.ts'

interface HeaderReader {
  header(name: string): string | undefined
  headerValues(name: string): string[]
  headerNames(): string[]
}

const extraPrefix = 'impersonate-extra-'
const nodePrefix = 'system:node:'
const authenticationGroup = 'authentication.k8s.io'

/** The impersonated user, or the caller itself without impersonation headers. `request` is only read where it is needed. */
export function impersonate(caller: Caller, headers: HeaderReader, authorizer: Authorizer, request: () => RequestAttributes): Caller {
  const name = headers.header('impersonate-user')
  if (!name) {
    const isAsked = headers
      .headerNames()
      .some((one) => one === 'impersonate-uid' || one === 'impersonate-group' || one.startsWith(extraPrefix))
    if (isAsked) throw badRequestError(`requested ${userText(headers)} without impersonating a user name`)
    return caller
  }
  const uid = headers.header('impersonate-uid')
  const asked = headers.headerValues('impersonate-group')
  const extra = readExtra(headers)
  if (!isMaster(caller)) checkImpersonation(authorizer, caller, { name, groups: asked, ...(uid && { uid }), extra }, request())
  const account = parseServiceAccountUser(name)
  const groups = asked.length === 0 && account !== undefined ? serviceAccountGroups(account.namespace) : [...asked]
  const everyone = name === anonymousUser ? unauthenticatedGroup : authenticatedGroup
  if (!groups.includes(everyone) && !groups.includes(unauthenticatedGroup)) groups.push(everyone)
  return { name, groups, ...(uid && { uid }), ...(Object.keys(extra).length > 0 && { extra }) }
}

/** A user without a name, as Go prints the struct. */
function userText(headers: HeaderReader): string {
  const list = (values: readonly string[]) => `[]string${values.length === 0 ? '(nil)' : `{${values.map(goQuote).join(', ')}}`}`
  const extra = Object.entries(readExtra(headers)).map(([key, values]) => `${goQuote(key)}:${list(values)}`)
  const fields = [
    'Name:""',
    `UID:${goQuote(headers.header('impersonate-uid') ?? '')}`,
    `Groups:${list(headers.headerValues('impersonate-group'))}`,
    `Extra:map[string][]string${extra.length === 0 ? '(nil)' : `{${extra.sort().join(', ')}}`}`,
  ]
  return `&user.DefaultInfo{${fields.join(', ')}}`
}

function readExtra(headers: HeaderReader): Record<string, readonly string[]> {
  // Without a prototype: `__proto__` is a key like any other, and is authorized like any other.
  const extra = Object.create(null) as Record<string, readonly string[]>
  for (const name of headers.headerNames())
    if (name.startsWith(extraPrefix)) extra[decodeKey(name.slice(extraPrefix.length))] = headers.headerValues(name)
  return extra
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/** Throws the refusal of the constrained rules when neither kind of rules allows it. */
function checkImpersonation(authorizer: Authorizer, caller: Caller, target: Caller, request: RequestAttributes): void {
  try {
    checkConstrained(authorizer, caller, target, request)
  } catch (error) {
    if (!isStatusError(error) || !impersonatedParts(target, '', 'impersonate').every((part) => authorizer.authorize(caller, part).allowed))
      throw error
  }
}

function checkConstrained(authorizer: Authorizer, caller: Caller, target: Caller, request: RequestAttributes): void {
  const mode =
    parseServiceAccountUser(target.name) !== undefined
      ? 'serviceaccount'
      : target.name.startsWith(nodePrefix)
        ? 'arbitrary-node'
        : 'user-info'
  requireAllowed(authorizer, caller, { ...request, verb: `impersonate-on:${mode}:${request.verb}` })
  for (const part of impersonatedParts(target, authenticationGroup, `impersonate:${mode}`)) {
    const isMasters = part.resource === 'groups' && part.name === mastersGroup
    if (isMasters) throw badRequestError(`impersonating the group ${mastersGroup} is not allowed`)
    requireAllowed(authorizer, caller, part)
  }
}

/** The permission checks for the impersonation of each part of a user. */
function impersonatedParts(target: Caller, group: string, verb: string): ResourceAttributes[] {
  const on = (resource: string, name: string, more: Partial<ResourceAttributes> = {}): ResourceAttributes => ({
    verb,
    group,
    resource,
    subresource: '',
    namespace: '',
    name,
    ...more,
  })
  const account = parseServiceAccountUser(target.name)
  const isNode = group !== '' && target.name.startsWith(nodePrefix)
  return [
    account !== undefined
      ? on('serviceaccounts', account.name, { namespace: account.namespace })
      : isNode
        ? on('nodes', target.name.slice(nodePrefix.length))
        : on('users', target.name),
    ...target.groups.map((one) => on('groups', one)),
    ...(target.uid === undefined ? [] : [on('uids', target.uid, { group: authenticationGroup })]),
    ...Object.entries(target.extra ?? {}).flatMap(([key, values]) =>
      values.map((value) => on('userextras', value, { group: authenticationGroup, subresource: key })),
    ),
  ]
}
