// WebSocket (RFC 6455), the side of the server: binary messages both ways. Nothing here knows Kubernetes.
import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'

export interface WebSocketListener {
  onMessage(message: Buffer): void
  /** Called once, however it ends. */
  onClose(): void
}

const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const mostMessageBytes = 1024 * 1024
const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 }
const codes = { normal: 1000, protocolError: 1002, tooBig: 1009 }

/** What the client must get back as proof that it was understood. */
export const acceptKey = (key: string): string =>
  createHash('sha1')
    .update(key + magic)
    .digest('base64')

export class WebSocket {
  readonly #socket: Duplex
  readonly #listener: WebSocketListener
  #bytes: Buffer = Buffer.alloc(0)
  #pieces: Buffer[] = []
  #isClosing = false

  /** The handshake is done; `head` came with it. */
  constructor(socket: Duplex, head: Buffer, listener: WebSocketListener) {
    this.#socket = socket
    this.#listener = listener
    socket.on('data', (piece: Buffer) => this.#read(piece))
    socket.on('end', () => socket.end())
    socket.once('close', () => listener.onClose())
    if (head.length > 0) this.#read(head)
    socket.resume()
  }

  send(message: Buffer): void {
    if (!this.#isClosing) this.#write(opcodes.binary, message)
  }

  close(code = codes.normal): void {
    if (this.#isClosing) return
    const body = Buffer.alloc(2)
    body.writeUInt16BE(code)
    this.#write(opcodes.close, body)
    this.#isClosing = true
    this.#socket.end()
  }

  #write(opcode: number, body: Buffer): void {
    if (!this.#socket.writable) return
    this.#socket.write(Buffer.concat([frameHead(opcode, body.length), body]))
  }

  #read(piece: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? piece : Buffer.concat([this.#bytes, piece])
    while (!this.#isClosing) {
      const frame = readFrame(this.#bytes)
      if (frame === 'incomplete') return
      if (typeof frame === 'number') this.close(frame)
      else {
        this.#bytes = this.#bytes.subarray(frame.length)
        this.#take(frame)
      }
    }
  }

  #take({ opcode, isLast, body }: Frame): void {
    if (opcode === opcodes.close) this.close()
    else if (opcode === opcodes.ping) this.#write(opcodes.pong, body)
    else if (opcode !== opcodes.pong) this.#takeData(opcode !== opcodes.continuation, isLast, body)
  }

  #takeData(isFirst: boolean, isLast: boolean, body: Buffer): void {
    const isExpected = isFirst === (this.#pieces.length === 0)
    if (isExpected) this.#pieces.push(body)
    const size = this.#pieces.reduce((sum, { length }) => sum + length, 0)
    if (!isExpected || size > mostMessageBytes) this.close(isExpected ? codes.tooBig : codes.protocolError)
    else if (isLast) {
      const message = Buffer.concat(this.#pieces)
      this.#pieces = []
      this.#listener.onMessage(message)
    }
  }
}

interface Frame {
  readonly opcode: number
  readonly isLast: boolean
  readonly body: Buffer
  /** With its head. */
  readonly length: number
}

/** A number is the code with which to close: what came is no frame. */
function readFrame(bytes: Buffer): Frame | 'incomplete' | number {
  if (bytes.length < 2) return 'incomplete'
  const [first, second] = [bytes[0]!, bytes[1]!]
  const opcode = first & 0x0f
  const isLast = (first & 0x80) !== 0
  const isMasked = (second & 0x80) !== 0
  if ((first & 0x70) !== 0 || !isMasked || !Object.values(opcodes).includes(opcode)) return codes.protocolError
  let size = second & 0x7f
  if (opcode >= opcodes.close && (size > 125 || !isLast)) return codes.protocolError
  let at = 2
  if (size === 126) {
    if (bytes.length < 4) return 'incomplete'
    size = bytes.readUInt16BE(2)
    at = 4
  } else if (size === 127) {
    if (bytes.length < 10) return 'incomplete'
    size = Number(bytes.readBigUInt64BE(2))
    at = 10
  }
  if (size > mostMessageBytes) return codes.tooBig
  if (bytes.length < at + 4 + size) return 'incomplete'
  const mask = bytes.subarray(at, at + 4)
  const body = Buffer.from(bytes.subarray(at + 4, at + 4 + size))
  for (let index = 0; index < body.length; index++) body[index]! ^= mask[index & 3]!
  return { opcode, isLast, body, length: at + 4 + size }
}

function frameHead(opcode: number, size: number): Buffer {
  const head = Buffer.alloc(size < 126 ? 2 : size < 65_536 ? 4 : 10)
  head[0] = 0x80 | opcode
  head[1] = size < 126 ? size : size < 65_536 ? 126 : 127
  if (size >= 65_536) head.writeBigUInt64BE(BigInt(size), 2)
  else if (size >= 126) head.writeUInt16BE(size, 2)
  return head
}
