// The same malformed requests over HTTP/2, as far as a client can write them at all.
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2'
import type { MalformedRequest } from './malformed-requests.ts'
import type { RawResponse } from './raw-connection.ts'

const answerMs = 30_000
const headersOfHttp1 = ['connection', 'upgrade', 'expect', 'host', 'transfer-encoding']

/** Whether HTTP/2 can carry it: a path, visible characters only, and no header of connections. */
export function fitsHttp2({ isBroken, method, target, headers }: MalformedRequest): boolean {
  const isPlain = (text: string) => /^[ -~]*$/.test(text)
  if (isBroken || method === 'CONNECT' || !target.startsWith('/') || !isPlain(target)) return false
  return headers.every(([name, value]) => isPlain(value) && /^[a-z-]+$/i.test(name) && !headersOfHttp1.includes(name.toLowerCase()))
}

/** One session that is opened again when the server has closed it. */
export class Http2Connection {
  readonly #url: string
  readonly #authorization: string
  #session: ClientHttp2Session | undefined

  constructor(url: string, token: string) {
    this.#url = url
    this.#authorization = `Bearer ${token}`
  }

  send({ method, target, headers, body }: MalformedRequest): Promise<RawResponse | 'closed'> {
    return new Promise((resolve, reject) => {
      const all: OutgoingHttpHeaders = { ':method': method, ':path': target, authorization: this.#authorization }
      for (const [name, value] of headers) all[name.toLowerCase()] = value
      const stream = this.#connected().request(all, { endStream: body === undefined })
      const timer = setTimeout(() => reject(new Error(`no answer within ${answerMs} ms`)), answerMs)
      const pieces: Buffer[] = []
      let code = 0
      let got = new Map<string, string>()
      const end = (isStream: boolean) => {
        clearTimeout(timer)
        resolve(code === 0 ? 'closed' : { code, headers: got, body: Buffer.concat(pieces), isStream })
      }
      stream.on('response', (response) => {
        code = Number(response[':status'])
        got = new Map(Object.entries(response).map(([name, value]) => [name, String(value)]))
        if (code !== 200 || got.has('content-length') || !/[?&]watch|\/watch\b/.test(target)) return
        end(true)
        stream.close()
      })
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('error', () => end(false))
      stream.on('close', () => end(false))
      if (body !== undefined) stream.end(body)
    })
  }

  close(): void {
    this.#session?.destroy()
    this.#session = undefined
  }

  #connected(): ClientHttp2Session {
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
      this.#session = connect(this.#url, { rejectUnauthorized: false })
      this.#session.on('error', () => {})
    }
    return this.#session
  }
}
