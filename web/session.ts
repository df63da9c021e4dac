// The token of this session. It arrives in the fragment of the address, which browsers do not send, and is removed from the
// address and from the history at once. It is kept for reloads of this tab only.

const key = 'rollcall-token'

export function takeToken(): string | undefined {
  const match = /^#(?:.*&)?token=([^&]+)/.exec(location.hash)
  if (match !== null) {
    sessionStorage.setItem(key, decodeURIComponent(match[1]!))
    history.replaceState(null, '', `${location.pathname}#/`)
  }
  return sessionStorage.getItem(key) ?? undefined
}

interface SendOptions {
  /** Default: JSON. */
  readonly accept?: string
  /** Default: JSON. */
  readonly contentType?: string
}

/** One request with the token. Throws an error with the server's message. Resolves to the parsed JSON, or to the text where it is none. */
export async function send<T>(method: string, path: string, body?: unknown, options: SendOptions = {}): Promise<T> {
  const { accept = 'application/json', contentType = 'application/json' } = options
  const token = sessionStorage.getItem(key)
  const response = await fetch(path, {
    method,
    cache: 'no-store',
    headers: {
      accept,
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': contentType }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const parsed = isJson ? (JSON.parse(text) as unknown) : text
  if (!response.ok) throw new Error((parsed as { readonly message?: string }).message ?? `HTTP ${response.status}`)
  return parsed as T
}
