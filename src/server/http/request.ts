// One request on its way through the server, and the ways to answer it.
import { randomUUID } from 'node:crypto'
import { constants, createGzip } from 'node:zlib'
import type { Kind } from '../../api/machinery/kind.ts'
import { internalError, isStatusError } from '../../api/machinery/status-error.ts'
import type { Status } from '../../api/types.ts'
import { realClock } from '../../base/clock.ts'
import type { Caller, ListResponse, ObjectResponse } from '../rest/rest.ts'
import { type BodyStream, type Exchange, type FramedPiece, frameBytes, framePiece, type Headers } from './exchange.ts'
import { indentJson, jsonToYaml } from './json-text.ts'
import { isPretty, negotiateStatus, type View } from './media-types.ts'
import { Query } from './query.ts'
import { Warnings } from './warnings.ts'

/** What the metrics say of a request. */
export interface Labels {
  verb: string
  readonly kind?: Kind
  readonly subresource?: string
  readonly scope?: 'resource' | 'namespace' | 'cluster' | ''
  dryRun?: boolean
}

/** From this size on Kubernetes compresses for whoever accepts it. */
const gzipBytes = 128 * 1024
/** Small enough that nobody waits long for the loop, large enough that a piece costs little more than its bytes. */
const pieceCharacters = 512 * 1024
/** Rows of a table are short and take long to make. */
const partsInOneTurn = 500

export class Request {
  readonly exchange: Exchange
  readonly path: string
  readonly query: Query
  readonly warnings = new Warnings()
  readonly startMs: number
  readonly #auditId: string
  caller: Caller | undefined
  labels: Labels = { verb: 'GET' }
  /** How long the client will wait; 0 is as long as the server allows. */
  timeoutMs = 0
  /** The code of the answer, once there is one. */
  code = 0

  constructor(exchange: Exchange, path: string, query: string, startMs: number) {
    this.exchange = exchange
    this.path = path
    this.query = new Query(query)
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

  /** A document whose compressed form is kept. */
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

  /** One JSON object, in the format that was asked for. */
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

  /** Anything that was thrown, as a Status. Returns what was no refusal but a fault of ours. */
  sendError(error: unknown): Error | undefined {
    const expected = isStatusError(error)
    const status = expected ? error.status : internalError(error instanceof Error ? error.message : String(error)).status
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
    // Nobody waits for a Status: what fails here would end the process.
    if (format !== 'yaml') respondJson()
    else jsonToYaml(text).then((body) => this.exchange.respond(code, { ...this.headers('application/yaml'), ...more }, body), respondJson)
  }

  #acceptsGzip(): boolean {
    const accept = this.exchange.header('accept-encoding')
    return accept?.split(',').some((one) => one.trim() === 'gzip') ?? false
  }

  /**
   * A body of any length from its parts. The parts are taken only as fast as the client reads, and other requests get
   * their turn in between; short bodies go out at once.
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
        if (waiting.length % partsInOneTurn === 0) await nextTurn()
        continue
      }
      body ??= this.#startParts(code, { ...this.headers(contentType), ...more })
      // The next piece is made while the one before it is on its way.
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

const nextTurn = () => new Promise<void>((resolve) => void realClock.after(0, resolve))

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
    // Lost when the client is: then nobody waits for it.
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

export const isAnswer = (result: ObjectResponse | Status | object): result is ObjectResponse =>
  'json' in result && typeof result.json === 'string'
