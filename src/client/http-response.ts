// Reads HTTP/1.1 responses from the bytes of a connection, in pieces as they arrive.

export interface ResponseHead {
  readonly status: number
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
}

interface ResponseHandlers {
  onHead(head: ResponseHead): void
  /** The bytes are valid during the call only. */
  onBody(bytes: Buffer): void
  /** `isReusable`: another request may be sent on the connection. */
  onEnd(isReusable: boolean): void
}

/** Of a status line with all its headers, or of the line with the size of a chunk. */
const maxLineBytes = 65_536

type State = 'head' | 'length' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer' | 'until-close' | 'done'

export class ResponseReader {
  readonly #handlers: ResponseHandlers
  #state: State = 'head'
  /** Bytes of the body or chunk that are still to come. */
  #left = 0
  #isReusable = true
  /** The beginning of a head or line that has not arrived in full. */
  #rest: Buffer | undefined

  constructor(handlers: ResponseHandlers) {
    this.#handlers = handlers
  }

  /** Whether any byte of the response has arrived. */
  get hasStarted(): boolean {
    return this.#state !== 'head' || this.#rest !== undefined
  }

  /** Throws if the bytes are no HTTP response. */
  read(arrived: Buffer): void {
    let bytes = arrived
    if (this.#rest !== undefined) {
      bytes = Buffer.concat([this.#rest, arrived])
      this.#rest = undefined
    }
    let at = 0
    while (at < bytes.length) {
      const next = this.#step(bytes, at)
      if (next < 0) {
        if (bytes.length - at > maxLineBytes) throw new Error('the response has a line or headers that are too long')
        // Copied: the bytes belong to the connection.
        this.#rest = Buffer.from(bytes.subarray(at))
        return
      }
      at = next
    }
  }

  /** The connection was closed by the server. Returns whether the response was complete. */
  end(): boolean {
    if (this.#state === 'until-close') this.#finish(false)
    return this.#state === 'done'
  }

  /** Consumes one element; returns the position after it, or -1 if it is incomplete. */
  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes, at)
      case 'length':
      case 'chunk':
        return this.#readBody(bytes, at)
      case 'until-close':
        this.#handlers.onBody(bytes.subarray(at))
        return bytes.length
      case 'chunk-size':
        return this.#readLine(bytes, at, (line) => {
          this.#left = sizeOf(line)
          this.#state = this.#left === 0 ? 'trailer' : 'chunk'
        })
      case 'chunk-end':
        return this.#readLine(bytes, at, (line) => {
          if (line !== '') throw new Error('a chunk of the response is longer than announced')
          this.#state = 'chunk-size'
        })
      case 'trailer':
        return this.#readLine(bytes, at, (line) => {
          if (line === '') this.#finish(this.#isReusable)
        })
      case 'done':
        throw new Error('the server sent more than the response')
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    const end = bytes.indexOf('\r\n\r\n', at, 'latin1')
    if (end < 0) return -1
    const [statusLine = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n')
    const match = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(statusLine)
    if (match === null) throw new Error(`the response begins with ${JSON.stringify(statusLine.slice(0, 60))}, which is not HTTP/1.1`)
    const status = Number(match[2])
    const next = end + 4
    // An interim response: the final one follows.
    if (status >= 100 && status < 200 && status !== 101) return next
    const headers = new Map<string, string>()
    for (const line of lines) {
      const colon = line.indexOf(':')
      if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
    }
    const connection = headers.get('connection')?.toLowerCase() ?? ''
    this.#isReusable = match[1] === '1' ? !connection.includes('close') : connection.includes('keep-alive')
    this.#state = this.#bodyState(status, headers)
    this.#handlers.onHead({ status, headers })
    if (this.#state === 'length' && this.#left === 0) this.#finish(this.#isReusable)
    return next
  }

  #bodyState(status: number, headers: ReadonlyMap<string, string>): State {
    this.#left = 0
    if (status === 101 || status === 204 || status === 304) return 'length'
    if (headers.get('transfer-encoding')?.toLowerCase().endsWith('chunked')) return 'chunk-size'
    const length = headers.get('content-length')
    if (length === undefined) return 'until-close'
    if (!/^\d+$/.test(length)) throw new Error(`the response has a Content-Length of ${JSON.stringify(length)}`)
    this.#left = Number(length)
    return 'length'
  }

  #readBody(bytes: Buffer, at: number): number {
    const end = Math.min(at + this.#left, bytes.length)
    this.#left -= end - at
    this.#handlers.onBody(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end))
    if (this.#left === 0) {
      if (this.#state === 'chunk') this.#state = 'chunk-end'
      else this.#finish(this.#isReusable)
    }
    return end
  }

  #readLine(bytes: Buffer, at: number, use: (line: string) => void): number {
    const end = bytes.indexOf(0x0a, at)
    if (end < 0) return -1
    use(bytes.toString('latin1', at, end).trimEnd())
    return end + 1
  }

  #finish(isReusable: boolean): void {
    this.#state = 'done'
    this.#handlers.onEnd(isReusable)
  }
}

function sizeOf(line: string): number {
  const [size = ''] = line.split(';', 1)
  if (!/^[0-9a-f]{1,13}$/i.test(size.trim())) throw new Error(`the response has a chunk of size ${JSON.stringify(line.slice(0, 60))}`)
  return Number.parseInt(size, 16)
}
