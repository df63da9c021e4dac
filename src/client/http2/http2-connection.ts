// One connection to an API server with HTTP/2 (RFC 9113): many requests at a time, as client-go sends them.
//
// Guarantees: the requests of one turn of the event loop are written together. Nothing is serialized while an earlier write is under way: `request()`
// of an exchange is called when its bytes go to the operating system. Requests that the server refuses, or has not seen when it announces
// the end of the connection, may be sent again on another one.
// Not implemented, because an API server does not use them: server push (turned off), priorities (ignored).
import type { Socket } from 'node:net'
import { afterPromises, type Clock } from '../../base/clock.ts'
import { type ConnectionEvents, closedError, type Exchange, type ResponseHead, type ServerConnection } from '../exchange.ts'
import type { RequestHeaders } from '../request-headers.ts'
import { ByteWriter } from './byte-writer.ts'
import {
  checkPing,
  readGoAway,
  readReset,
  readWindowUpdate,
  writeGoAway,
  writePing,
  writePong,
  writeReset,
  writeSettings,
  writeSettingsAcknowledgement,
  writeWindowUpdate,
} from './control-frames.ts'
import {
  defaultFrameBytes,
  defaultWindowBytes,
  errorCode,
  errorNameOf,
  FrameReader,
  frameFlag,
  frameType,
  ProtocolError,
  preface,
} from './frames.ts'
import { Liveness } from './liveness.ts'
import { connectionWindowBytes, ReceiveWindows, streamWindowBytes } from './receive-windows.ts'
import { RequestBodies } from './request-bodies.ts'
import { RequestWriter } from './request-writer.ts'
import { ResponseHeads } from './response-heads.ts'
import { readSettings } from './settings.ts'
import { assumedMaxStreams, defaultMaxStreams, maxStreamId, maxWriteBytes, newStream, type Stream } from './stream.ts'

export class Http2Connection implements ServerConnection {
  readonly #socket: Socket
  readonly #events: ConnectionEvents
  readonly #liveness: Liveness
  readonly #out = new ByteWriter()
  readonly #requests: RequestWriter
  readonly #heads: ResponseHeads
  readonly #reader: FrameReader
  readonly #bodies = new RequestBodies()
  readonly #windows = new ReceiveWindows((id, bytes) => this.#extendWindow(id, bytes))
  readonly #streams = new Map<number, Stream>()
  /** Exchanges that are not written yet. */
  #waiting: Exchange[] = []
  #nextId = 1
  #maxStreams = assumedMaxStreams
  #hasSettings = false
  #maxFrameBytes = defaultFrameBytes
  #served = 0
  #isFlushScheduled = false
  #isWriting = false
  #isDraining = false
  #isClosed = false

  constructor(socket: Socket, headers: RequestHeaders, events: ConnectionEvents, clock: Clock) {
    this.#socket = socket
    this.#requests = new RequestWriter(headers)
    this.#events = events
    this.#heads = new ResponseHeads((id, head, isEnd) => this.#receiveHead(id, head, isEnd))
    this.#reader = new FrameReader({
      onData: (id, bytes, isEnd) => this.#receiveData(id, bytes, isEnd),
      onDataFrame: (id, length) => {
        this.#heads.expect(frameType.data, id)
        this.#windows.consume(length, this.#streams.get(id))
      },
      onFrame: (type, flags, id, payload) => this.#receiveFrame(type, flags, id, payload),
    })
    this.#out.latin1(preface)
    writeSettings(this.#out, streamWindowBytes)
    this.#extendWindow(0, connectionWindowBytes - defaultWindowBytes)
    this.#liveness = new Liveness(clock, {
      ask: () => {
        writePing(this.#out)
        this.#scheduleFlush()
      },
      onDead: (seconds) => this.#close(new Error(`nothing was received from the server for ${seconds} seconds`), undefined),
    })
  }

  get hasRoom(): boolean {
    return !this.#isDraining && !this.#isClosed && this.#streams.size + this.#waiting.length < this.#maxStreams
  }

  get isFull(): boolean {
    // A server that allows no requests now does not allow them on another connection either.
    return this.#hasSettings && this.#maxStreams > 0 && !this.hasRoom
  }

  start(exchange: Exchange): void {
    this.#waiting.push(exchange)
    this.#scheduleFlush()
  }

  cancel(exchange: Exchange): void {
    const waiting = this.#waiting.indexOf(exchange)
    if (waiting >= 0) this.#waiting.splice(waiting, 1)
    else {
      const stream = [...this.#streams.values()].find((one) => one.exchange === exchange)
      if (stream === undefined) return
      this.#reset(stream.id, errorCode.cancel)
      this.#remove(stream)
    }
    this.#noteRoom()
  }

  destroy(error?: Error): void {
    this.#close(error ?? closedError(false), undefined)
  }

  end(error: Error | undefined): void {
    this.#close(error, 'read')
  }

  read(bytes: Buffer): void {
    if (this.#isClosed) return
    this.#liveness.noteReceived()
    try {
      this.#reader.read(bytes)
    } catch (error) {
      const failure = error instanceof ProtocolError ? error : new ProtocolError((error as Error).message, errorCode.internal)
      writeGoAway(this.#out, failure.code)
      if (!this.#isWriting && !this.#isClosed) this.#socket.write(this.#out.take())
      this.#close(failure, undefined)
    }
  }

  #receiveFrame(type: number, flags: number, id: number, payload: Buffer): void {
    this.#heads.expect(type, id)
    switch (type) {
      case frameType.headers:
      case frameType.continuation:
        this.#checkKnown(id)
        this.#heads.read(type, flags, id, payload)
        break
      case frameType.settings:
        this.#receiveSettings(flags, id, payload)
        break
      case frameType.ping:
        this.#receivePing(flags, id, payload)
        break
      case frameType.goAway:
        this.#receiveGoAway(id, payload)
        break
      case frameType.windowUpdate:
        this.#receiveWindowUpdate(id, payload)
        break
      case frameType.reset:
        this.#receiveReset(id, payload)
        break
      case frameType.pushPromise:
        throw new ProtocolError('the server sent a push promise, which the client has disabled')
      default:
      // Priorities, and types that are unknown: ignored.
    }
  }

  /** Also accepts streams that have ended: the server may not know yet that they were cancelled. */
  #checkKnown(id: number): void {
    if (id % 2 === 0 || id >= this.#nextId) throw new ProtocolError(`the server opened the stream ${id}`)
  }

  #receiveHead(id: number, head: ResponseHead | undefined, isEnd: boolean): void {
    const stream = this.#streams.get(id)
    if (stream === undefined) return
    // Trailers have no status. After an interim response the final one follows.
    if (head !== undefined && !stream.hasHead) {
      if (head.status < 200 && !isEnd) return
      if (head.status >= 200) {
        stream.hasHead = true
        stream.exchange.onHead(head)
      }
    } else if (!isEnd) throw new ProtocolError('the server sent headers in the middle of a body')
    if (!isEnd) return
    if (stream.hasHead) this.#finish(stream)
    else this.#fail(stream, errorCode.protocol, new Error('the server ended a response before it began'))
  }

  #receiveData(id: number, bytes: Buffer, isEnd: boolean): void {
    const stream = this.#streams.get(id)
    if (stream === undefined) {
      this.#checkKnown(id)
      return
    }
    if (!stream.hasHead) {
      this.#fail(stream, errorCode.protocol, new Error('the server sent a body without headers'))
      return
    }
    if (bytes.length > 0) {
      const isWhole = isEnd && !stream.hasBody
      stream.hasBody = true
      stream.exchange.onBody(bytes, isWhole)
    }
    // The exchange may have been cancelled meanwhile.
    if (isEnd && this.#streams.get(id) === stream) this.#finish(stream)
  }

  #receiveSettings(flags: number, id: number, payload: Buffer): void {
    const settings = readSettings(flags, id, payload)
    if (settings === undefined) return
    const { headerTableSize, maxConcurrentStreams, initialWindowSize, maxFrameSize } = settings
    if (headerTableSize !== undefined) this.#requests.limitTable(headerTableSize)
    if (maxConcurrentStreams !== undefined) this.#maxStreams = maxConcurrentStreams
    else if (!this.#hasSettings) this.#maxStreams = defaultMaxStreams
    this.#hasSettings = true
    if (maxFrameSize !== undefined) this.#maxFrameBytes = maxFrameSize
    if (initialWindowSize !== undefined) this.#bodies.setInitialWindow(initialWindowSize)
    writeSettingsAcknowledgement(this.#out)
    this.#scheduleFlush()
    // Also without room: waiting requests may need another connection.
    if (!this.#isDraining) this.#events.onRoom(this)
  }

  #receivePing(flags: number, id: number, payload: Buffer): void {
    checkPing(id, payload)
    if ((flags & frameFlag.acknowledgement) !== 0) return
    writePong(this.#out, payload)
    this.#scheduleFlush()
  }

  /** Requests after the last one that the server names were not seen, and can be sent on another connection. */
  #receiveGoAway(id: number, payload: Buffer): void {
    const { last, code } = readGoAway(id, payload)
    this.#drain()
    for (const stream of [...this.#streams.values()])
      if (stream.id > last) {
        this.#remove(stream)
        // The server has acted on a request whose response has begun.
        stream.exchange.onError(new Error(`the server ends the connection: ${errorNameOf(code)}`), stream.hasHead ? undefined : 'any')
      }
    this.#noteRoom()
  }

  #receiveReset(id: number, payload: Buffer): void {
    const code = readReset(id, payload)
    const stream = this.#streams.get(id)
    if (stream === undefined) return
    this.#remove(stream)
    const error = new Error(`the server aborted the response: ${errorNameOf(code)}`)
    stream.exchange.onError(error, code === errorCode.refusedStream && !stream.hasHead ? 'any' : undefined)
    this.#noteRoom()
  }

  #receiveWindowUpdate(id: number, payload: Buffer): void {
    this.#bodies.extendWindow(id, readWindowUpdate(payload))
    if (!this.#bodies.isEmpty) this.#scheduleFlush()
  }

  #scheduleFlush(): void {
    if (this.#isFlushScheduled || this.#isWriting || this.#isClosed) return
    this.#isFlushScheduled = true
    afterPromises(() => {
      this.#isFlushScheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#isWriting || this.#isClosed) return
    const written = this.#continueBodies()
    if (this.#isClosed) return
    let taken = 0
    let failed = 0
    while (taken < this.#waiting.length && this.#out.length < maxWriteBytes && !this.#isDraining) {
      const exchange = this.#waiting[taken++]!
      if (this.#writeRequest(exchange)) written.push(exchange)
      else failed++
    }
    if (taken > 0) this.#waiting.splice(0, taken)
    if (this.#nextId > maxStreamId) this.#drain()
    if (this.#out.length === 0) return
    this.#isWriting = true
    this.#socket.write(this.#out.take(), () => {
      this.#isWriting = false
      this.#flush()
    })
    for (const exchange of written) {
      try {
        exchange.onWritten?.()
      } catch (error) {
        this.destroy(error as Error)
        return
      }
    }
    if (failed > 0) this.#noteRoom()
  }

  /** Returns the exchanges of which a further part was written. */
  #continueBodies(): Exchange[] {
    const written: Exchange[] = []
    const refused: { readonly stream: Stream; readonly error: Error }[] = []
    this.#bodies.write(this.#out, this.#maxFrameBytes, maxWriteBytes, (id) => {
      const stream = this.#streams.get(id)!
      try {
        stream.exchange.beforePart?.()
      } catch (error) {
        refused.push({ stream, error: error as Error })
        return false
      }
      written.push(stream.exchange)
      return true
    })
    for (const { stream, error } of refused) this.#fail(stream, errorCode.cancel, error)
    return written
  }

  /** Returns whether it was written. */
  #writeRequest(exchange: Exchange): boolean {
    const id = this.#nextId
    let body: string | undefined
    let bodyBytes: number
    try {
      const request = exchange.request()
      body = request.body?.()
      bodyBytes = body === undefined ? 0 : Buffer.byteLength(body)
      this.#requests.write(this.#out, id, request, bodyBytes, this.#maxFrameBytes)
    } catch (error) {
      exchange.onError(error as Error)
      return false
    }
    this.#nextId += 2
    this.#streams.set(id, newStream(id, exchange))
    if (bodyBytes > 0) this.#bodies.send(this.#out, id, body!, bodyBytes, this.#maxFrameBytes)
    return true
  }

  #extendWindow(id: number, bytes: number): void {
    writeWindowUpdate(this.#out, id, bytes)
    this.#scheduleFlush()
  }

  #reset(id: number, code: number): void {
    writeReset(this.#out, id, code)
    this.#scheduleFlush()
  }

  #finish(stream: Stream): void {
    // The server did not need the rest of the body.
    if (this.#bodies.has(stream.id)) this.#reset(stream.id, errorCode.none)
    this.#served++
    this.#remove(stream)
    this.#noteRoom()
    stream.exchange.onEnd()
  }

  #fail(stream: Stream, code: number, error: Error): void {
    this.#reset(stream.id, code)
    this.#remove(stream)
    stream.exchange.onError(error)
    this.#noteRoom()
  }

  #remove({ id }: Stream): void {
    this.#streams.delete(id)
    this.#bodies.remove(id)
  }

  /** A connection that takes no more requests is closed with its last one. */
  #noteRoom(): void {
    if (this.#isDraining && this.#streams.size === 0) this.#close(undefined, undefined)
    else if (this.hasRoom) this.#events.onRoom(this)
  }

  /** No more requests: those that were not written go to another connection. */
  #drain(): void {
    if (this.#isDraining) return
    this.#isDraining = true
    this.#events.onDraining(this)
    for (const exchange of this.#waiting.splice(0)) exchange.onError(new Error('the server ends the connection'), 'any')
  }

  /** `stale`: which requests without a response may be repeated, on a connection that has served others. */
  #close(error: Error | undefined, stale: 'read' | undefined): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#isDraining = true
    this.#liveness.stop()
    this.#socket.destroy()
    this.#events.onClosed(this)
    const streams = [...this.#streams.values()]
    this.#streams.clear()
    for (const { exchange, hasHead } of streams) {
      const failure = error ?? closedError(hasHead)
      exchange.onError(failure, hasHead || this.#served === 0 ? undefined : stale)
    }
    for (const exchange of this.#waiting.splice(0)) exchange.onError(error ?? closedError(false), stale === undefined ? undefined : 'any')
  }
}
