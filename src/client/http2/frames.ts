// The frames of HTTP/2 (RFC 9113): how they are written, and how they are found in the bytes of a connection.
import { consumeBytes } from '../received-bytes.ts'
import type { ByteWriter } from './byte-writer.ts'

export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const

export const frameFlag = { endStream: 0x1, acknowledgement: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const

export const setting = { headerTableSize: 1, enablePush: 2, maxConcurrentStreams: 3, initialWindowSize: 4, maxFrameSize: 5 } as const

export const errorCode = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
} as const

const errorNames = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
]

export const errorNameOf = (code: number): string => errorNames[code] ?? `error ${code}`

/** The server violated the protocol: the connection cannot be used any more. */
export class ProtocolError extends Error {
  readonly code: number

  constructor(message: string, code: number = errorCode.protocol) {
    super(message)
    this.code = code
  }
}

export const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
export const defaultWindowBytes = 65_535
export const maxWindowBytes = 2 ** 31 - 1
/** The maximum that the client accepts, and that it assumes for the server until the server's settings arrive. */
export const defaultFrameBytes = 16_384
export const frameHeadBytes = 9

/** The payload follows. */
export function writeFrameHead(out: ByteWriter, length: number, type: number, flags: number, stream: number): void {
  out.uint32(length * 256 + type)
  out.byte(flags)
  out.uint32(stream)
}

interface FrameHandlers {
  /** A part of the data of a frame; the last part has `isEnd` if the stream ends with it. The bytes are valid during the call only. */
  onData(stream: number, bytes: Buffer, isEnd: boolean): void
  /** The frame uses `length` bytes of the windows, padding included. */
  onDataFrame(stream: number, length: number): void
  /** Any other frame, as a whole. The bytes are valid during the call only. */
  onFrame(type: number, flags: number, stream: number, payload: Buffer): void
}

/** Finds the frames in the bytes that arrive, in pieces of any size. Data is passed on as it arrives. */
export class FrameReader {
  readonly #handlers: FrameHandlers
  /** The beginning of a frame that has not arrived in full. */
  #rest: Buffer | undefined
  /** The data frame that is being received: its missing bytes, its stream, its missing padding, and whether it ends the stream. */
  #dataLeft = 0
  #dataStream = 0
  #paddingLeft = 0
  #isEnd = false

  constructor(handlers: FrameHandlers) {
    this.#handlers = handlers
  }

  /** Throws a ProtocolError. */
  read(arrived: Buffer): void {
    this.#rest = consumeBytes(this.#rest, arrived, (bytes, at) =>
      this.#dataLeft > 0 || this.#paddingLeft > 0 ? this.#readData(bytes, at) : this.#readFrame(bytes, at),
    )
  }

  /** Consumes one frame, or the head of a data frame; returns the position after it, or -1 if it is incomplete. */
  #readFrame(bytes: Buffer, at: number): number {
    if (bytes.length - at < frameHeadBytes) return -1
    const length = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!
    const type = bytes[at + 3]!
    const flags = bytes[at + 4]!
    const stream = bytes.readUInt32BE(at + 5) & 0x7fff_ffff
    if (length > defaultFrameBytes) throw new ProtocolError(`the server sent a frame of ${length} bytes`, errorCode.frameSize)
    const start = at + frameHeadBytes
    if (type === frameType.data) return this.#startData(bytes, start, length, flags, stream)
    const end = start + length
    if (bytes.length < end) return -1
    this.#handlers.onFrame(type, flags, stream, bytes.subarray(start, end))
    return end
  }

  #startData(bytes: Buffer, start: number, length: number, flags: number, stream: number): number {
    if (stream === 0) throw new ProtocolError('the server sent data without a stream')
    let at = start
    let padding = 0
    if ((flags & frameFlag.padded) !== 0) {
      if (length === 0) throw new ProtocolError('the server sent padding without a length', errorCode.frameSize)
      if (bytes.length === start) return -1
      padding = bytes[at++]!
      if (padding >= length) throw new ProtocolError('the server sent more padding than data')
    }
    this.#dataLeft = length - (at - start) - padding
    this.#paddingLeft = padding
    this.#dataStream = stream
    this.#isEnd = (flags & frameFlag.endStream) !== 0
    this.#handlers.onDataFrame(stream, length)
    if (this.#dataLeft === 0 && this.#isEnd) this.#handlers.onData(stream, bytes.subarray(at, at), true)
    return at
  }

  #readData(bytes: Buffer, at: number): number {
    if (this.#dataLeft === 0) {
      const end = Math.min(at + this.#paddingLeft, bytes.length)
      this.#paddingLeft -= end - at
      return end
    }
    const end = Math.min(at + this.#dataLeft, bytes.length)
    this.#dataLeft -= end - at
    this.#handlers.onData(this.#dataStream, bytes.subarray(at, end), this.#isEnd && this.#dataLeft === 0)
    return end
  }
}
