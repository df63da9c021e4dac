// `agnhost guestbook`: its frontends and backends of a namespace share what was written.
// Ours: what the test image agnhost does, another program.
import type { Container, Pod } from '../../api/types.ts'
import type { Files } from '../shell/files.ts'
import { type HttpRequest, type HttpResponse, notFound, porterResponse, responseOf, servedBy } from './http-responses.ts'

const failed = (body: string): HttpResponse => ({ code: 400, body: `${body}\n` })

export class GuestBooks {
  readonly #byNamespace = new Map<string, Map<string, string>>()

  /** As ./http-responses.ts, for all servers. Only `porter` has responses to other methods than GET and HEAD. */
  responseOf(pod: Pod, container: Container, files: Files, request: HttpRequest, ageMs: number): HttpResponse | undefined {
    const { method, path } = request
    const served = servedBy(container)
    if (served === 'porter') return porterResponse(container, request)
    if (method !== 'GET' && method !== 'HEAD') return undefined
    if (served === 'guestbook') return this.#respond(pod.metadata?.namespace ?? '', path)
    return responseOf(pod, container, files, path.split('?')[0]!, ageMs)
  }

  #respond(namespace: string, path: string): HttpResponse {
    const { pathname, searchParams } = new URL(path, 'http://guestbook')
    const command = pathname === '/guestbook' ? (searchParams.get('cmd') ?? '').toLowerCase() : pathname.slice(1)
    const key = searchParams.get('key') ?? ''
    if (command !== 'get' && command !== 'set') return pathname === '/guestbook' ? failed(`unsupported cmd: '${command}'`) : notFound
    if (command === 'set' && key === '') return failed('cannot set with empty key.')
    const entries = this.#byNamespace.get(namespace) ?? new Map<string, string>()
    if (command === 'set') {
      entries.set(key, searchParams.get('value') ?? '')
      this.#byNamespace.set(namespace, entries)
      return { code: 200, body: JSON.stringify({ message: 'Updated' }) }
    }
    return { code: 200, body: JSON.stringify({ data: key === '' ? Object.fromEntries(entries) : (entries.get(key) ?? '') }) }
  }
}
