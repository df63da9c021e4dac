// Sends HTTP/1.1 byte by byte, including requests that no client library would send.
import { connect, type TLSSocket } from 'node:tls'
import type { MalformedRequest } from './malformed-requests.ts'

export interface RawResponse {
  readonly code: number
  /** Names are in lower case; of several values the last one is kept. */
  readonly headers: ReadonlyMap<string, string>
  /** Empty for an endless stream: the connection is then closed. */
  readonly body: Buffer
  readonly isStream: boolean
}

const answerMs = 30_000

/** One connection that is opened again when the server has closed it. */
export class RawConnection {
  readonly #url: URL
  readonly #authorization: string
  #socket: TLSSocket | undefined
  #received: Buffer = Buffer.alloc(0)
  #onChange: () => void = () => {}
  #isOver = true

  constructor(url: string, token: string) {
    this.#url = new URL(url)
    this.#authorization = `Bearer ${token}`
  }

  /** 'closed': the server closed the connection without a response. */
  async send(request: MalformedRequest): Promise<RawResponse | 'closed'> {
    const socket = await this.#connected()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${answerMs} ms`)), answerMs)
    })
    try {
      socket.write(this.#encode(request))
      return await Promise.race([this.#read(request), late])
    } finally {
      clearTimeout(timer)
    }
  }

  close(): void {
    this.#isOver = true
    this.#socket?.destroy()
    this.#socket = undefined
  }

  async #connected(): Promise<TLSSocket> {
    if (this.#socket !== undefined && !this.#isOver) return this.#socket
    const socket = connect({
      host: this.#url.hostname,
      port: Number(this.#url.port),
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    })
    this.#socket = socket
    this.#received = Buffer.alloc(0)
    this.#isOver = false
    const over = () => {
      if (this.#socket !== socket) return
      this.#isOver = true
      this.#onChange()
    }
    socket.on('data', (chunk: Buffer) => {
      if (this.#socket !== socket) return
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
      this.#onChange()
    })
    socket.on('error', over)
    socket.on('close', over)
    socket.on('end', over)
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve)
      socket.once('error', reject)
    })
    return socket
  }

  #encode({ method, target, headers, body, isBroken }: MalformedRequest): Buffer {
    const lines = [`${method} ${target} HTTP/1.1`]
    const has = (name: string) => headers.some(([one]) => one.toLowerCase() === name)
    if (!has('host')) lines.push('Host: localhost')
    if (!has('authorization')) lines.push(`Authorization: ${this.#authorization}`)
    for (const [name, value] of headers) lines.push(`${name}: ${value}`)
    if (body !== undefined && !isBroken) lines.push(`Content-Length: ${body.length}`)
    const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
    return body === undefined ? head : Buffer.concat([head, body])
  }

  async #more(): Promise<boolean> {
    if (this.#isOver) return false
    await new Promise<void>((resolve) => {
      this.#onChange = resolve
    })
    return true
  }

  async #read(request: MalformedRequest): Promise<RawResponse | 'closed'> {
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n')
      if (end < 0) {
        if (await this.#more()) continue
        return 'closed'
      }
      const [line = '', ...rest] = this.#received.toString('latin1', 0, end).split('\r\n')
      const code = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1])
      this.#received = this.#received.subarray(end + 4)
      if (code < 200) continue
      const headers = new Map(
        rest.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 1).trim()] as const),
      )
      const isStream = code === 200 && headers.get('transfer-encoding') === 'chunked' && /[?&]watch|\/watch\b/.test(request.target)
      const body = isStream || request.method === 'HEAD' ? Buffer.alloc(0) : await this.#readBody(headers)
      if (body === undefined) return 'closed'
      if (isStream || headers.get('connection') === 'close') this.close()
      return { code, headers, body, isStream }
    }
  }

  async #readBody(headers: ReadonlyMap<string, string>): Promise<Buffer | undefined> {
    const length = headers.get('content-length')
    if (length !== undefined) return this.#take(Number(length))
    if (headers.get('transfer-encoding') === 'chunked') return this.#readChunks()
    while (await this.#more());
    return this.#received
  }

  async #readChunks(): Promise<Buffer | undefined> {
    const chunks: Buffer[] = []
    for (;;) {
      let end = this.#received.indexOf('\r\n')
      while (end < 0) {
        if (!(await this.#more())) return undefined
        end = this.#received.indexOf('\r\n')
      }
      const size = Number.parseInt(this.#received.toString('latin1', 0, end), 16)
      this.#received = this.#received.subarray(end + 2)
      const chunk = await this.#take(size + 2)
      if (chunk === undefined) return undefined
      if (size === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, size))
    }
  }

  async #take(length: number): Promise<Buffer | undefined> {
    while (this.#received.length < length) if (!(await this.#more())) return undefined
    const taken = this.#received.subarray(0, length)
    this.#received = this.#received.subarray(length)
    return taken
  }
}
