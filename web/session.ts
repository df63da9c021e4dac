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

/** One request with the token. Throws an error with the server's message. */
export async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const token = sessionStorage.getItem(key)
  const response = await fetch(path, {
    method,
    cache: 'no-store',
    headers: {
      accept: 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const parsed = text.startsWith('{') || text.startsWith('[') ? (JSON.parse(text) as unknown) : text
  if (!response.ok) throw new Error((parsed as { readonly message?: string }).message ?? `HTTP ${response.status}`)
  return parsed as T
}
