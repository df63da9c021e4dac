// Reads the headers of responses from their frames. A block may continue in further frames; nothing else may come between them.
import type { ResponseHead } from '../exchange.ts'
import { errorCode, frameFlag, frameType, ProtocolError } from './frames.ts'
import { HeaderDecoder } from './header-decoder.ts'
import type { Header } from './header-table.ts'

/** Of a block in several frames. */
const maxBlockBytes = 262_144
/** What a frame counts at least: frames without content have an end too. */
const minFrameBytes = 9

class Http2Head implements ResponseHead {
  readonly status: number
  readonly #headers: readonly Header[]

  constructor(status: number, headers: readonly Header[]) {
    this.status = status
    this.#headers = headers
  }

  header(name: string): string | undefined {
    return this.#headers.find((header) => header.name === name)?.value
  }
}

type HeadHandler = (stream: number, head: ResponseHead | undefined, isEnd: boolean) => void

export class ResponseHeads {
  readonly #decoder = new HeaderDecoder()
  readonly #onHead: HeadHandler
  /** The block that is being received, and its stream. */
  #parts: Buffer[] = []
  #partBytes = 0
  #stream = 0
  #isEnd = false

  /** `onHead` is called without a head for trailers. `isEnd`: the response has no body, or it is complete. */
  constructor(onHead: HeadHandler) {
    this.#onHead = onHead
  }

  /** Throws if a frame of that type may not come now. */
  expect(type: number, stream: number): void {
    const isContinuation = type === frameType.continuation
    if (this.#stream === 0 ? isContinuation : !isContinuation || stream !== this.#stream)
      throw new ProtocolError('the server sent a frame in the middle of headers, or their end without a beginning')
  }

  /** A HEADERS or CONTINUATION frame. Throws a ProtocolError. */
  read(type: number, flags: number, stream: number, payload: Buffer): void {
    const block = type === frameType.headers ? withoutPadding(flags, payload) : payload
    if (type === frameType.headers) this.#isEnd = (flags & frameFlag.endStream) !== 0
    if ((flags & frameFlag.endHeaders) === 0) {
      this.#stream = stream
      this.#parts.push(Buffer.from(block))
      this.#partBytes += Math.max(block.length, minFrameBytes)
      if (this.#partBytes > maxBlockBytes) throw new ProtocolError('the response has headers that are too long')
      return
    }
    const whole = this.#parts.length === 0 ? block : Buffer.concat([...this.#parts, block])
    this.#parts = []
    this.#partBytes = 0
    this.#stream = 0
    this.#onHead(stream, headOf(this.#decode(whole)), this.#isEnd)
  }

  #decode(block: Buffer): readonly Header[] {
    try {
      return this.#decoder.decode(block)
    } catch (error) {
      throw new ProtocolError((error as Error).message, errorCode.compression)
    }
  }
}

function headOf(headers: readonly Header[]): ResponseHead | undefined {
  const [first] = headers
  return first?.name === ':status' ? new Http2Head(Number(first.value), headers) : undefined
}

function withoutPadding(flags: number, payload: Buffer): Buffer {
  let start = 0
  let end = payload.length
  if ((flags & frameFlag.padded) !== 0) {
    end -= payload[0] ?? 0
    start++
  }
  if ((flags & frameFlag.priority) !== 0) start += 5
  if (start > end) throw new ProtocolError('the server sent more padding than headers')
  return payload.subarray(start, end)
}
