// A cheap HTTP/1.1 client, because it shares the processors with the server that it measures. It sends one request at a time, reads the
// status code of the response, and counts its bytes.
import { once } from 'node:events'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import type { Target } from './kubeconfig.ts'

export interface Answer {
  readonly code: number
  /** Of the body. */
  readonly bytes: number
}

const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')
const none = Buffer.alloc(0)

/** All connections read into this buffer, one after the other: bytes that must outlive the next read are copied. */
const readInto = Buffer.allocUnsafeSlow(64 * 1024)

export class Connection {
  readonly #socket: TLSSocket
  readonly #before: string
  #unread: Buffer = none
  #code = 0
  #bytes = 0
  /** The missing bytes of the body or the chunk, including the line end after it. Undefined while the head is incomplete. */
  #left: number | undefined
  #isChunked = false
  #isLastChunk = false
  #resolve: (answer: Answer) => void = () => {}
  #reject: (error: Error) => void = () => {}
  /** Set for a watch: gets the bytes after the head. */
  #stream: ((piece: Buffer) => void) | undefined

  private constructor(socket: TLSSocket, target: Target) {
    this.#socket = socket
    const authorization = target.token === undefined ? '' : `Authorization: Bearer ${target.token}\r\n`
    this.#before = ` HTTP/1.1\r\nHost: ${target.authority}\r\n${authorization}User-Agent: bench\r\nAccept: application/json\r\n`
    socket.on('error', (error) => this.#reject(error))
    socket.on('close', () => this.#reject(new Error('The server closed the connection')))
  }

  static async open(target: Target): Promise<Connection> {
    let connection: Connection | undefined
    const onread = {
      buffer: readInto,
      callback(bytes: number): boolean {
        if (connection !== undefined) connection.#read(readInto.subarray(0, bytes))
        return true
      },
    }
    const socket = connect({ ...target.tls, onread } as ConnectionOptions)
    await once(socket, 'secureConnect')
    socket.setNoDelay(true)
    connection = new Connection(socket, target)
    return connection
  }

  /** The part of a request that is always the same; `method` and path come first, the body and its length follow. */
  head(method: string, path: string, contentType: string): string {
    return `${method} ${path}${this.#before}Content-Type: ${contentType}\r\nContent-Length: `
  }

  /** `head` is from head(). The body has only characters of one byte. */
  send(head: string, body: string): Promise<Answer> {
    return this.#write(`${head}${body.length}\r\n\r\n${body}`)
  }

  get(path: string): Promise<Answer> {
    return this.#write(`GET ${path}${this.#before}\r\n`)
  }

  /** Resolves when the response has begun; `onPiece` then receives the bytes as they arrive. */
  watch(path: string, onPiece: (piece: Buffer) => void): Promise<Answer> {
    this.#stream = onPiece
    return this.#write(`GET ${path}${this.#before}\r\n`)
  }

  close(): void {
    this.#reject = () => {}
    this.#socket.destroy()
  }

  #write(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#socket.write(request, 'latin1')
    })
  }

  #read(piece: Buffer): void {
    let data = this.#unread.length === 0 ? piece : Buffer.concat([this.#unread, piece])
    this.#unread = none
    if (this.#left === undefined) {
      const end = data.indexOf(headEnd)
      if (end < 0) {
        this.#unread = Buffer.from(data)
        return
      }
      this.#readHead(data.toString('latin1', 0, end))
      data = data.subarray(end + headEnd.length)
      if (this.#stream !== undefined && this.#code === 200) {
        this.#left = 0
        this.#resolve({ code: this.#code, bytes: 0 })
      }
    }
    if (this.#stream !== undefined && this.#code === 200) this.#stream(data)
    else this.#readBody(data)
  }

  #readHead(head: string): void {
    this.#code = Number(head.slice(9, 12))
    this.#bytes = 0
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)
    this.#isChunked = length === null
    this.#isLastChunk = false
    this.#left = length === null ? 0 : Number(length[1])
  }

  #readBody(data: Buffer): void {
    let at = 0
    for (;;) {
      if (this.#isChunked && this.#left === 0) {
        if (this.#isLastChunk) break
        const end = data.indexOf(lineEnd, at)
        if (end < 0) break
        const length = Number.parseInt(data.toString('latin1', at, end), 16)
        this.#isLastChunk = length === 0
        this.#left = length + lineEnd.length
        at = end + lineEnd.length
      }
      const taken = Math.min(this.#left!, data.length - at)
      const content = this.#isChunked ? Math.max(0, Math.min(taken, this.#left! - lineEnd.length)) : taken
      this.#bytes += content
      this.#left! -= taken
      at += taken
      if (this.#left === 0 && !this.#isChunked) break
      if (at >= data.length && this.#left! > 0) return
    }
    if (this.#left === 0 && (!this.#isChunked || this.#isLastChunk)) this.#finish()
    else this.#unread = at === data.length ? none : Buffer.from(data.subarray(at))
  }

  #finish(): void {
    this.#left = undefined
    this.#resolve({ code: this.#code, bytes: this.#bytes })
  }
}
