// A connection with a socket that a test reads and completes, and frames to answer with.
import type { Socket } from 'node:net'
import { VirtualClock } from '../../../base/virtual-clock.ts'
import type { Exchange, HttpRequest, ResponseHead, ServerConnection } from '../../exchange.ts'
import { RequestHeaders } from '../../request-headers.ts'
import { ByteWriter } from '../byte-writer.ts'
import { frameFlag, frameType, preface, writeFrameHead } from '../frames.ts'
import { HeaderDecoder } from '../header-decoder.ts'
import { Http2Connection } from '../http2-connection.ts'

export const { data, headers, reset, settings, ping, goAway, windowUpdate, continuation } = frameType
export const { endStream, endHeaders, padded } = frameFlag

export function frame(type: number, flags: number, stream: number, payload: Buffer | string = ''): Buffer {
  const out = new ByteWriter()
  const bytes = Buffer.from(payload as string)
  writeFrameHead(out, bytes.length, type, flags, stream)
  out.bytes(bytes)
  return Buffer.from(out.take())
}

export const uint32 = (...values: number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value])))
export const setting = (key: number, value: number) => frame(settings, 0, 0, Buffer.concat([Buffer.from([0, key]), uint32(value)]))
/** `:status 200`, and 'a: b' without an index. */
export const ok = Buffer.from('880001610162', 'hex')
export const response = (stream: number, body: string) =>
  Buffer.concat([frame(headers, endHeaders, stream, ok), frame(data, endStream, stream, body)])
export const endlessHeaders = (part: string, count: number) =>
  Buffer.concat([frame(headers, 0, 1, ok), ...new Array<Buffer>(count).fill(frame(continuation, 0, 1, part))])

export class RecordedExchange implements Exchange {
  readonly log: string[] = []
  body = ''
  readonly #request: HttpRequest

  constructor(path: string, body?: string) {
    this.#request = { method: body === undefined ? 'GET' : 'POST', path, ...(body !== undefined && { body: () => body }) }
  }

  onAssigned(): void {}

  request(): HttpRequest {
    this.log.push('request')
    return this.#request
  }

  onHead({ status, header }: ResponseHead): void {
    this.log.push(`head ${status}`)
    void header
  }

  onBody(bytes: Buffer, isWhole: boolean): void {
    this.body += bytes.toString()
    if (isWhole) this.log.push('whole')
  }

  onEnd(): void {
    this.log.push('end')
  }

  onError(error: Error, repeatable?: string): void {
    this.log.push(`${error.message}${repeatable === undefined ? '' : ` (${repeatable})`}`)
  }
}

/** The connection, with a socket that the test reads and completes. */
export function open({ isSlow = false } = {}) {
  const clock = new VirtualClock()
  const writes: Buffer[] = []
  const taken: (() => void)[] = []
  const events: string[] = []
  const state = { isDestroyed: false }
  const socket = {
    write(bytes: Buffer, onTaken?: () => void) {
      writes.push(Buffer.from(bytes))
      if (onTaken === undefined) return
      if (isSlow) taken.push(onTaken)
      else queueMicrotask(onTaken)
    },
    destroy() {
      state.isDestroyed = true
    },
  }
  const note = (event: string) => (_: ServerConnection) => void events.push(event)
  const connection = new Http2Connection(
    socket as unknown as Socket,
    new RequestHeaders({ server: 'https://example.com/prefix', token: () => 'secret' }, 'tester'),
    { onRoom: note('room'), onDraining: note('draining'), onClosed: note('closed') },
    clock,
  )
  const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))
  const start = (path: string, body?: string) => {
    const exchange = new RecordedExchange(path, body)
    connection.start(exchange)
    return exchange
  }
  const decoder = new HeaderDecoder()
  /** The frames that were written since the last call; those of the beginning are left out. */
  const sent = (): string[] => {
    let bytes = Buffer.concat(writes.splice(0))
    if (bytes.toString('latin1').startsWith(preface)) bytes = bytes.subarray(preface.length + 21 + 13)
    const found: string[] = []
    for (let at = 0; at < bytes.length; ) {
      const end = at + 9 + bytes.readUIntBE(at, 3)
      const [type, flags, stream, payload] = [bytes[at + 3]!, bytes[at + 4]!, bytes.readUInt32BE(at + 5), bytes.subarray(at + 9, end)]
      const shown =
        type === headers && (flags & endHeaders) !== 0
          ? decoder
              .decode(payload)
              .map(({ name, value }) => `${name}=${value}`)
              .join(' ')
          : type === data && payload.length < 50
            ? payload.toString()
            : payload.length <= 8
              ? payload.toString('hex')
              : String(payload.length)
      found.push(`${Object.keys(frameType)[type]} ${stream}${(flags & endStream) !== 0 ? ' end' : ''}${shown === '' ? '' : ` ${shown}`}`)
      at = end
    }
    return found
  }
  return {
    connection,
    clock,
    start,
    turn,
    sent,
    events,
    state,
    writes,
    taken,
    read: (...frames: Buffer[]) => connection.read(Buffer.concat(frames)),
  }
}
