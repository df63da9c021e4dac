// Writes the headers of requests as frames of HTTP/2.
import type { HttpRequest } from '../exchange.ts'
import type { RequestHeaders } from '../request-headers.ts'
import type { ByteWriter } from './byte-writer.ts'
import { frameFlag, frameHeadBytes, frameType, writeFrameHead } from './frames.ts'
import { HeaderEncoder } from './header-encoder.ts'
import { headerOf } from './header-table.ts'

const scheme = headerOf(':scheme', 'https')

export class RequestWriter {
  readonly #headers: RequestHeaders
  readonly #encoder = new HeaderEncoder()

  constructor(headers: RequestHeaders) {
    this.#headers = headers
  }

  /** The server's limit for the table of headers. */
  limitTable(bytes: number): void {
    this.#encoder.limit(bytes)
  }

  /** A request with a body continues with data. Throws before it writes anything. */
  write(out: ByteWriter, id: number, request: HttpRequest, bodyBytes: number, maxFrameBytes: number): void {
    const { method, path, contentType, accept } = request
    const encoder = this.#encoder
    const headers = this.#headers
    const authorization = headers.authorization()
    const start = out.length
    const flags = frameFlag.endHeaders | (bodyBytes > 0 ? 0 : frameFlag.endStream)
    writeFrameHead(out, 0, frameType.headers, flags, id)
    encoder.begin(out)
    encoder.common(out, headers.method(method))
    encoder.common(out, scheme)
    encoder.common(out, headers.authority)
    encoder.own(out, ':path', headers.pathPrefix + path)
    encoder.common(out, headers.accept(accept))
    for (const header of headers.common) encoder.common(out, header)
    if (authorization !== undefined) encoder.common(out, authorization)
    if (request.body !== undefined) {
      encoder.common(out, headers.contentType(contentType))
      encoder.own(out, 'content-length', String(bodyBytes))
    }
    finishBlock(out, start, flags, id, maxFrameBytes)
  }
}

/** Sets the length of the block that was begun at `start`; one that is too long for a frame continues in others. */
function finishBlock(out: ByteWriter, start: number, flags: number, id: number, maxFrameBytes: number): void {
  const length = out.length - start - frameHeadBytes
  if (length <= maxFrameBytes) {
    out.setUint32(start, length * 256 + frameType.headers)
    return
  }
  const block = out.cut(start)
  for (let at = 0; at < length; at += maxFrameBytes) {
    const end = Math.min(at + maxFrameBytes, length)
    const type = at === 0 ? frameType.headers : frameType.continuation
    writeFrameHead(out, end - at, type, (at === 0 ? flags & frameFlag.endStream : 0) | (end === length ? frameFlag.endHeaders : 0), id)
    out.bytes(block, frameHeadBytes + at, frameHeadBytes + end)
  }
}
