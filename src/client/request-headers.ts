// The headers of requests, for both versions of HTTP.
import type { OutgoingHttpHeaders } from 'node:http'
import type { Connection } from './connection.ts'
import type { HttpRequest } from './exchange.ts'

const json = 'application/json'

export class RequestHeaders {
  readonly #connection: Connection
  readonly #host: string
  /** In front of every path. */
  readonly #pathPrefix: string
  readonly #common: OutgoingHttpHeaders

  /** `name` is that of the program. */
  constructor(connection: Connection, name: string) {
    this.#connection = connection
    const { host, pathname } = new URL(connection.server)
    this.#host = host
    this.#pathPrefix = pathname === '/' ? '' : pathname
    const { basic } = connection
    this.#common = checked({
      'user-agent': name,
      ...impersonation(connection),
      ...(basic !== undefined && {
        authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`,
      }),
    })
  }

  http1(request: HttpRequest): { readonly path: string; readonly headers: OutgoingHttpHeaders } {
    return { path: this.#pathPrefix + request.path, headers: { host: this.#host, ...this.#headersOf(request) } }
  }

  http2(request: HttpRequest): OutgoingHttpHeaders {
    return {
      ':method': request.method,
      ':scheme': 'https',
      ':authority': this.#host,
      ':path': this.#pathPrefix + request.path,
      ...this.#headersOf(request),
    }
  }

  /** Throws for a token with a character that HTTP does not allow. */
  #headersOf({ accept = json, body, contentType = json }: HttpRequest): OutgoingHttpHeaders {
    const token = this.#connection.token?.()
    return {
      accept,
      ...this.#common,
      ...(token !== undefined && checked({ authorization: `Bearer ${token}` })),
      ...(body !== undefined && { 'content-type': contentType }),
    }
  }
}

/** Throws for a value that would end its line. Node.js' own message would contain the value. */
function checked(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  for (const [name, values] of Object.entries(headers))
    for (const value of [values].flat())
      if (/[^\t\x20-\x7e\x80-\xff]/.test(String(value)))
        throw new Error(`the value of the header ${name} has a character that HTTP does not allow`)
  return headers
}

function impersonation({ impersonate }: Connection): OutgoingHttpHeaders {
  if (impersonate === undefined) return {}
  const { user, uid, groups = [], extra = {} } = impersonate
  return {
    'impersonate-user': user,
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': [...groups] }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`, [...values]]),
    ),
  }
}
