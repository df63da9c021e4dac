// The headers of requests, for both versions of HTTP.
import { getOrAdd } from '../base/maps.ts'
import type { Connection } from './connection.ts'
import { type Header, headerOf } from './http2/header-table.ts'

/** One object for each value of a header. */
function headersNamed(name: string): (value: string) => Header {
  const known = new Map<string, Header>()
  return (value) => getOrAdd(known, value, () => headerOf(name, value))
}

const json = 'application/json'

export class RequestHeaders {
  readonly #connection: Connection
  readonly method = headersNamed(':method')
  readonly #accepts = headersNamed('accept')
  readonly #contentTypes = headersNamed('content-type')
  readonly authority: Header
  /** In front of every path. */
  readonly pathPrefix: string
  /** Those that every request has. */
  readonly common: readonly Header[]
  #token: string | undefined
  #authorization: Header | undefined

  /** `name` is that of the program. */
  constructor(connection: Connection, name: string) {
    this.#connection = connection
    const { host, pathname } = new URL(connection.server)
    this.pathPrefix = pathname === '/' ? '' : pathname
    this.authority = headerOf(':authority', host)
    this.common = [checked('user-agent', name), ...impersonation(connection)]
    const { basic } = connection
    if (basic !== undefined && connection.token === undefined)
      this.#authorization = checked('authorization', `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`)
  }

  /** The same object while the token is the same. Throws for a token with a character that HTTP does not allow. */
  authorization(): Header | undefined {
    const token = this.#connection.token?.()
    if (token !== undefined && token !== this.#token) {
      this.#authorization = checked('authorization', `Bearer ${token}`)
      this.#token = token
    }
    return this.#authorization
  }

  accept(types = json): Header {
    return this.#accepts(types)
  }

  contentType(type = json): Header {
    return this.#contentTypes(type)
  }
}

/** Throws for a value that would end its line. */
function checked(name: string, value: string): Header {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) throw new Error(`the value of the header ${name} has a character that HTTP does not allow`)
  return headerOf(name, value)
}

function impersonation({ impersonate }: Connection): Header[] {
  if (impersonate === undefined) return []
  const { user, uid, groups = [], extra = {} } = impersonate
  return [
    checked('impersonate-user', user),
    ...(uid === undefined ? [] : [checked('impersonate-uid', uid)]),
    ...groups.map((group) => checked('impersonate-group', group)),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => checked(`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`, value)),
    ),
  ]
}
