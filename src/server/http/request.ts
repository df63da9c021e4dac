// A request and the ways to respond to it.
import { randomUUID } from 'node:crypto'
import { constants, createGzip } from 'node:zlib'
import type { Kind } from '../../api/machinery/kind.ts'
import { internalError, isStatusError } from '../../api/machinery/status-error.ts'
import type { Status } from '../../api/types.ts'
import { realClock, sleep } from '../../base/clock.ts'
import { messageOf } from '../../base/error-message.ts'
import type { Caller, ListResponse, ObjectResponse } from '../rest/rest.ts'
import { type BodyStream, type Exchange, type FramedPiece, frameBytes, framePiece, type Headers } from './exchange.ts'
import { indentJson, jsonToYaml } from './json-encoding.ts'
import { isPretty, negotiateStatus, type View } from './media-types.ts'
import { Query } from './query.ts'
import type { RequestFault } from './request-faults.ts'
import { Warnings } from './warnings.ts'

/** The labels of a request in the metrics. */
interface Labels {
  verb: string
  readonly kind?: Kind
  readonly subresource?: string
  readonly scope?: 'resource' | 'namespace' | 'cluster' | ''
  dryRun?: boolean
}

/** As in Kubernetes, longer responses are compressed when the client accepts it. */
const gzipBytes = 128 * 1024
/** Small enough not to delay other requests, large enough that the overhead per piece is negligible. */
const pieceCharacters = 512 * 1024
/** Table rows are short but take long to compute. */
const partsInOneTurn = 500

export class Request {
  exchange: Exchange
  readonly path: string
  readonly query: Query
  /** As it was sent, without the question mark. */
  readonly rawQuery: string
  readonly warnings = new Warnings()
  readonly startMs: number
  readonly #auditId: string
  caller: Caller | undefined
  labels: Labels = { verb: 'GET' }
  /** The timeout that the client requested; 0 for none. */
  timeoutMs = 0
  /** The status code of the response; 0 before it is sent. */
  code = 0
  /** The object in the response. */
  answer: ObjectResponse | undefined
  /** The fault that is injected into the request. */
  fault: RequestFault | undefined

  constructor(exchange: Exchange, path: string, query: string, startMs: number) {
    this.exchange = exchange
    this.path = path
    this.query = new Query(query)
    this.rawQuery = query
    this.startMs = startMs
    this.#auditId = exchange.header('audit-id') ?? randomUUID()
  }

  headers(contentType: string): Headers {
    const headers: Headers = { 'audit-id': this.#auditId, 'cache-control': 'no-cache, private', 'content-type': contentType }
    const warning = this.warnings.headers()
    if (warning !== undefined) headers['warning'] = warning
    return headers
  }

  sendPlain(code: number, text: string, more: Headers = {}): void {
    this.code = code
    const headers = { ...this.headers('text/plain; charset=utf-8'), 'x-content-type-options': 'nosniff', ...more }
    this.exchange.respond(code, headers, text)
  }

  sendDocument(code: number, contentType: string, body: string | Buffer, more: Headers = {}): void | Promise<void> {
    if (typeof body === 'string' && body.length > gzipBytes && this.#acceptsGzip()) return this.sendParts(code, contentType, [body], more)
    this.code = code
    this.exchange.respond(code, { ...this.headers(contentType), ...more }, body)
  }

  /** A document whose compressed form is cached. */
  sendCompressible(code: number, contentType: string, body: string | Buffer, gzip: () => Buffer, more: Headers = {}): void {
    this.code = code
    const headers = { ...this.headers(contentType), ...more }
    if (body.length <= gzipBytes || !this.#acceptsGzip()) {
      this.exchange.respond(code, headers, body)
      return
    }
    const vary = [more['vary'], 'Accept-Encoding'].filter(Boolean).join(', ')
    this.exchange.respond(code, { ...headers, 'content-encoding': 'gzip', vary }, gzip())
  }

  /** One JSON object, in the requested format. */
  sendJson(code: number, text: string, view: View): void | Promise<void> {
    if (view.format === 'yaml') return this.#sendYaml(code, text)
    const pretty = isPretty(view, this.query.text('pretty'))
    if (pretty || text.length > gzipBytes) return this.sendDocument(code, 'application/json', pretty ? indentJson(text) : `${text}\n`)
    this.code = code
    this.exchange.respond(code, this.headers('application/json'), `${text}\n`)
  }

  async #sendYaml(code: number, text: string): Promise<void> {
    return this.sendDocument(code, 'application/yaml', await jsonToYaml(text))
  }

  /** Sends any thrown value as a Status. Returns the error when it is an internal one rather than a refusal. */
  sendError(error: unknown): Error | undefined {
    const expected = isStatusError(error)
    const status = expected ? error.status : internalError(messageOf(error)).status
    this.sendStatus(status)
    return expected ? undefined : error instanceof Error ? error : new Error(String(error))
  }

  sendStatus(status: Status): void {
    const code = status.code ?? 200
    this.code = code
    const text = JSON.stringify(status)
    const format = negotiateStatus(this.exchange.header('accept'))
    const retryAfterSeconds = status.details?.retryAfterSeconds
    const more: Headers = retryAfterSeconds ? { 'retry-after': String(retryAfterSeconds) } : {}
    const respondJson = () => {
      const body = format === undefined ? indentJson(text) : `${text}\n`
      this.exchange.respond(code, { ...this.headers('application/json'), ...more }, body)
    }
    const respondYaml = (body: string) => this.exchange.respond(code, { ...this.headers('application/yaml'), ...more }, body)
    // The caller does not await the Status: a rejection here would end the process.
    if (format !== 'yaml') respondJson()
    else
      jsonToYaml(text)
        .then(respondYaml, respondJson)
        .catch(() => this.exchange.abort())
  }

  #acceptsGzip(): boolean {
    const accept = this.exchange.header('accept-encoding')
    return accept?.split(',').some((one) => one.trim() === 'gzip') ?? false
  }

  /**
   * Sends a body of any length from its parts. Parts are generated only as fast as the client reads, and other requests are served in
   * between; a short body is sent at once.
   */
  async sendParts(code: number, contentType: string, parts: Iterable<string>, more: Headers = {}): Promise<void> {
    this.code = code
    let waiting: string[] = []
    let characters = 0
    let body: PieceWriter | undefined
    let written: Promise<void> | undefined
    for (const part of parts) {
      waiting.push(part)
      characters += part.length
      if (characters < pieceCharacters) {
        if (waiting.length % partsInOneTurn === 0) await sleep(realClock, 0)
        continue
      }
      body ??= this.#startParts(code, { ...this.headers(contentType), ...more })
      // The next piece is prepared while the previous one is being sent.
      const piece = framePiece(waiting.join(''))
      await written
      if (body.isLost) return
      written = body.write(piece)
      waiting = []
      characters = 0
    }
    const rest = waiting.join('')
    if (body === undefined && (rest.length <= gzipBytes || !this.#acceptsGzip())) {
      this.exchange.respond(code, { ...this.headers(contentType), ...more }, rest)
      return
    }
    body ??= this.#startParts(code, { ...this.headers(contentType), ...more })
    await written
    if (rest !== '') await body.write(framePiece(rest))
    await body.end()
  }

  #startParts(code: number, headers: Headers): PieceWriter {
    if (!this.#acceptsGzip()) return new PieceWriter(this.exchange, this.exchange.stream(code, headers))
    const compressed = { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }
    return new GzipWriter(this.exchange, this.exchange.stream(code, compressed))
  }
}

class PieceWriter {
  readonly #stream: BodyStream
  isLost = false
  #wake: () => void = () => {}

  constructor(exchange: Exchange, stream: BodyStream) {
    this.#stream = stream
    stream.onDrain(() => this.#wake())
    exchange.onClose(() => {
      this.isLost = true
      this.#wake()
    })
  }

  /** Resolves when there is room for more. */
  write(piece: FramedPiece): Promise<void> {
    return new Promise((resolve) => {
      if (this.isLost) return resolve()
      this.#wake = resolve
      if (this.#stream.writeFramed(piece)) realClock.after(0, resolve)
    })
  }

  async end(): Promise<void> {
    this.#stream.end()
  }
}

class GzipWriter extends PieceWriter {
  readonly #gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: 64 * 1024 })
  readonly #done: Promise<void>

  constructor(exchange: Exchange, stream: BodyStream) {
    super(exchange, stream)
    // Fails when the client disconnects.
    this.#done = this.#forward().catch(() => stream.abort())
    exchange.onClose(() => this.#gzip.destroy())
  }

  async #forward(): Promise<void> {
    for await (const piece of this.#gzip) await super.write(frameBytes(piece as Buffer))
    await super.end()
  }

  override write({ plain }: FramedPiece): Promise<void> {
    return new Promise((resolve) => {
      if (this.isLost) return resolve()
      this.#gzip.write(plain, () => resolve())
    })
  }

  override async end(): Promise<void> {
    this.#gzip.end()
    await this.#done
  }
}

export function listMetadata({ resourceVersion, continue: token, remainingItemCount }: ListResponse): string {
  return JSON.stringify({
    resourceVersion,
    ...(token !== undefined && token !== '' && { continue: token }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  })
}

export const isObjectResponse = (result: ObjectResponse | Status | object): result is ObjectResponse =>
  'json' in result && typeof result.json === 'string'
