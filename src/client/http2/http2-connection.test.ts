import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../base/virtual-clock.ts'
import type { Exchange, HttpRequest, ResponseHead, ServerConnection } from '../exchange.ts'
import { RequestHeaders } from '../request-headers.ts'
import { ByteWriter } from './byte-writer.ts'
import { frameFlag, frameType, preface, writeFrameHead } from './frames.ts'
import { HeaderDecoder } from './header-decoder.ts'
import { Http2Connection } from './http2-connection.ts'

const { data, headers, reset, settings, ping, goAway, windowUpdate, continuation } = frameType
const { endStream, endHeaders, padded } = frameFlag

function frame(type: number, flags: number, stream: number, payload: Buffer | string = ''): Buffer {
  const out = new ByteWriter()
  const bytes = Buffer.from(payload as string)
  writeFrameHead(out, bytes.length, type, flags, stream)
  out.bytes(bytes)
  return Buffer.from(out.take())
}

const uint32 = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value])))
const setting = (key: number, value: number) => frame(settings, 0, 0, Buffer.concat([Buffer.from([0, key]), uint32(value)]))
/** `:status 200`, and 'a: b' without an index. */
const ok = Buffer.from('880001610162', 'hex')
const response = (stream: number, body: string) =>
  Buffer.concat([frame(headers, endHeaders, stream, ok), frame(data, endStream, stream, body)])
const endlessHeaders = (part: string, count: number) =>
  Buffer.concat([frame(headers, 0, 1, ok), ...new Array<Buffer>(count).fill(frame(continuation, 0, 1, part))])

class RecordedExchange implements Exchange {
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
function open({ isSlow = false } = {}) {
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

describe('Http2Connection', () => {
  it('writes the requests of one turn together, with the headers that a server needs', async () => {
    const { start, turn, sent, writes } = open()
    start('/a')
    start('/b', '{"ü":1}')
    await turn()
    expect(writes).toHaveLength(1)
    const common = 'accept=application/json user-agent=tester authorization=Bearer secret'
    expect(sent()).toEqual([
      `headers 1 end :method=GET :scheme=https :authority=example.com :path=/prefix/a ${common}`,
      `headers 3 :method=POST :scheme=https :authority=example.com :path=/prefix/b ${common} content-type=application/json content-length=8`,
      'data 3 end {"ü":1}',
    ])
  })

  it('serializes nothing while a write is under way', async () => {
    const { start, turn, taken } = open({ isSlow: true })
    const first = start('/a')
    await turn()
    const second = start('/b')
    await turn()
    expect([first.log, second.log]).toEqual([['request'], []])
    taken.shift()!()
    expect(second.log).toEqual(['request'])
  })

  it('reads responses that are interleaved, padded, continued, and split anywhere', async () => {
    const bytes = Buffer.concat([
      setting(99, 1),
      frame(headers, 0, 1, ok.subarray(0, 2)),
      frame(continuation, 0, 1, ok.subarray(2, 3)),
      frame(continuation, endHeaders, 1, ok.subarray(3)),
      frame(
        headers,
        endHeaders | padded | 0x20,
        3,
        Buffer.concat([Buffer.from([2]), uint32(0), Buffer.from([7]), ok, Buffer.from([0, 0])]),
      ),
      frame(data, 0, 3, 'three '),
      frame(77, 0, 0, 'unknown'),
      frame(data, padded, 1, '\x03one \0\0\0'),
      frame(data, padded | endStream, 3, '\x01of it\0'),
      frame(data, 0, 1, 'of it'),
      frame(headers, endHeaders | endStream, 1, Buffer.from('0001780179', 'hex')),
      frame(headers, endHeaders | endStream, 5, ok),
    ])
    for (const size of [1, 2, 3, 5, 8, 13, 100_000]) {
      const { connection, start, turn, state } = open()
      const exchanges = [start('/1'), start('/3'), start('/5')]
      await turn()
      for (let at = 0; at < bytes.length; at += size) connection.read(bytes.subarray(at, at + size))
      expect(
        exchanges.map(({ body }) => body),
        `pieces of ${size}`,
      ).toEqual(['one of it', 'three of it', ''])
      for (const { log } of exchanges) expect(log).toEqual(['request', 'head 200', 'end'])
      expect(state.isDestroyed).toBe(false)
    }
  })

  it('says when a body is whole', async () => {
    const { start, turn, read } = open()
    const exchange = start('/a')
    await turn()
    read(response(1, 'all'))
    expect(exchange.log).toEqual(['request', 'head 200', 'whole', 'end'])
  })

  it('waits for the final response after an interim one', async () => {
    const { start, turn, read } = open()
    const exchange = start('/a')
    await turn()
    // Literal `:status: 103`.
    read(frame(headers, endHeaders, 1, Buffer.from('0803313033', 'hex')), response(1, 'x'))
    expect(exchange.log).toEqual(['request', 'head 200', 'whole', 'end'])
  })

  it('fails a request that ends with an interim response', async () => {
    const { start, turn, read, sent, state } = open()
    const exchange = start('/a')
    await turn()
    sent()
    read(frame(headers, endHeaders | endStream, 1, Buffer.from('0803313033', 'hex')))
    await turn()
    expect(exchange.log.at(-1)).toBe('the server ended a response before it began')
    expect([sent(), state.isDestroyed]).toEqual([['reset 1 00000001'], false])
  })

  it('has as many requests under way as the server allows', async () => {
    const { connection, start, turn, read, events } = open()
    read(setting(3, 2))
    start('/a')
    expect(connection.hasRoom).toBe(true)
    start('/b')
    expect(connection.hasRoom).toBe(false)
    await turn()
    events.length = 0
    read(response(1, ''))
    expect([connection.hasRoom, events]).toEqual([true, ['room']])
  })

  it('is full when the server allows no more on this connection, but not when it allows nothing', async () => {
    const { connection, start, turn, read } = open()
    for (let count = 0; count < 100; count++) start('/a')
    // Its settings are not known yet.
    expect([connection.hasRoom, connection.isFull]).toEqual([false, false])
    await turn()
    read(setting(99, 1))
    expect([connection.hasRoom, connection.isFull]).toEqual([true, false])
    read(setting(3, 100))
    expect([connection.hasRoom, connection.isFull]).toEqual([false, true])
    read(setting(3, 0))
    expect([connection.hasRoom, connection.isFull]).toEqual([false, false])
  })

  it('sends a body within the windows of the server', async () => {
    const { start, turn, read, sent } = open()
    read(setting(4, 10))
    await turn()
    sent()
    start('/a', '0123456789abcdefghij')
    await turn()
    expect(sent().slice(1)).toEqual(['data 1 0123456789'])
    read(setting(4, 13))
    await turn()
    expect(sent()).toEqual(['settings 0 end', 'data 1 abc'])
    read(frame(windowUpdate, 0, 1, uint32(100)))
    await turn()
    expect(sent()).toEqual(['data 1 end defghij'])
  })

  it('splits a large body into frames, and waits for the window of the connection', async () => {
    const { start, turn, read, sent } = open()
    read(setting(4, 1_000_000))
    start('/a', 'x'.repeat(70_000))
    await turn()
    expect(sent().slice(2)).toEqual(['data 1 16384', 'data 1 16384', 'data 1 16384', 'data 1 16383'])
    read(frame(windowUpdate, 0, 0, uint32(100_000)))
    await turn()
    expect(sent()).toEqual([`data 1 end ${70_000 - 65_535}`])
  })

  it('continues headers that are too long for a frame', async () => {
    const { start, turn, writes } = open()
    start(`/${'x'.repeat(40_000)}`)
    await turn()
    const bytes = Buffer.concat(writes).subarray(preface.length + 21 + 13)
    const types: string[] = []
    const block: Buffer[] = []
    for (let at = 0; at < bytes.length; ) {
      const end = at + 9 + bytes.readUIntBE(at, 3)
      types.push(`${bytes[at + 3]} ${bytes[at + 4]}`)
      block.push(bytes.subarray(at + 9, end))
      at = end
    }
    expect(types).toEqual([`${headers} ${endStream}`, `${continuation} 0`, `${continuation} ${endHeaders}`])
    expect(new HeaderDecoder().decode(Buffer.concat(block))[3]!.value).toHaveLength(40_000 + '/prefix/'.length)
  })

  it('keeps the windows of the server open', async () => {
    const { start, turn, read, sent } = open()
    const exchange = start('/watch')
    await turn()
    sent()
    read(frame(headers, endHeaders, 1, ok))
    for (let count = 0; count < 128; count++) read(frame(data, 0, 1, 'x'.repeat(16_384)))
    await turn()
    expect(sent()).toEqual([`windowUpdate 1 ${uint32(128 * 16_384).toString('hex')}`])
    expect(exchange.body).toHaveLength(128 * 16_384)
  })

  it('answers pings and acknowledges settings', async () => {
    const { turn, read, sent } = open()
    read(setting(3, 100), frame(ping, 0, 0, 'abcdefgh'), frame(settings, frameFlag.acknowledgement, 0))
    await turn()
    expect(sent()).toEqual(['settings 0 end', `ping 0 end ${Buffer.from('abcdefgh').toString('hex')}`])
  })

  it('finishes what the server has seen when it ends the connection, and gives the rest back', async () => {
    const { connection, start, turn, read, events, state } = open()
    const [first, second] = [start('/a'), start('/b')]
    await turn()
    const unwritten = start('/c')
    read(frame(goAway, 0, 0, uint32(1, 0)))
    expect(connection.hasRoom).toBe(false)
    expect(second.log).toEqual(['request', 'the server ends the connection: NO_ERROR (any)'])
    expect(unwritten.log).toEqual(['the server ends the connection (any)'])
    expect([events.at(-1), state.isDestroyed]).toEqual(['draining', false])
    read(response(1, 'done'))
    expect(first.log.at(-1)).toBe('end')
    expect([events.at(-1), state.isDestroyed]).toEqual(['closed', true])
  })

  it.each([
    [7, 'the server aborted the response: REFUSED_STREAM (any)'],
    [2, 'the server aborted the response: INTERNAL_ERROR'],
    [4711, 'the server aborted the response: error 4711'],
  ])('fails one request when the server resets it with %i', async (code, message) => {
    const { start, turn, read } = open()
    const [first, second] = [start('/a'), start('/b')]
    await turn()
    read(frame(reset, 0, 1, uint32(code)), response(3, 'x'))
    expect(first.log.at(-1)).toBe(message)
    expect(second.log.at(-1)).toBe('end')
  })

  it('does not give back a request whose response has begun', async () => {
    const { start, turn, read } = open()
    const [first, second] = [start('/a'), start('/b')]
    await turn()
    read(frame(headers, endHeaders, 1, ok), frame(reset, 0, 1, uint32(7)))
    read(frame(headers, endHeaders, 3, ok), frame(goAway, 0, 0, uint32(1, 0)))
    expect([first, second].map(({ log }) => log.at(-1))).toEqual([
      'the server aborted the response: REFUSED_STREAM',
      'the server ends the connection: NO_ERROR',
    ])
  })

  it('fails all requests when the connection breaks; reads on a connection that worked may be repeated', async () => {
    const { connection, start, turn, read } = open()
    const [first, second, third] = [start('/a'), start('/b'), start('/c')]
    await turn()
    read(response(1, 'x'), frame(headers, endHeaders, 3, ok))
    const unwritten = start('/d')
    connection.end(undefined)
    expect([first, second, third, unwritten].map(({ log }) => log.at(-1))).toEqual([
      'end',
      'the server closed the connection in the middle of a response',
      'the server closed the connection (read)',
      'the server closed the connection (any)',
    ])
  })

  it('cancels a request, and ignores what still arrives for it', async () => {
    const { connection, start, turn, read, sent, state } = open()
    const [first, second] = [start('/a'), start('/b')]
    await turn()
    sent()
    connection.cancel(first)
    await turn()
    expect(sent()).toEqual(['reset 1 00000008'])
    read(response(1, 'late'), response(3, 'x'), frame(reset, 0, 1, uint32(0)))
    expect([first.log, second.log.at(-1), state.isDestroyed]).toEqual([['request'], 'end', false])
  })

  it('closes a connection that the server ends when the last request is cancelled', async () => {
    const { connection, start, turn, read, events, state } = open()
    const exchange = start('/watch')
    await turn()
    read(frame(goAway, 0, 0, uint32(1, 0)))
    expect(state.isDestroyed).toBe(false)
    connection.cancel(exchange)
    expect([events, state.isDestroyed, exchange.log]).toEqual([['draining', 'closed'], true, ['request']])
  })

  it('stops sending a body when the server has answered without it', async () => {
    const { start, turn, read, sent } = open()
    const exchange = start('/a', 'x'.repeat(100_000))
    await turn()
    sent()
    read(response(1, 'too large'), frame(windowUpdate, 0, 1, uint32(100_000)), frame(windowUpdate, 0, 0, uint32(100_000)))
    await turn()
    expect(sent()).toEqual(['reset 1 00000000'])
    expect(exchange.log.at(-1)).toBe('end')
  })

  it('fails a request that may not be written any more, and closes the connection if it was written', async () => {
    const { connection, turn, state, sent } = open()
    const refusing = new RecordedExchange('/a')
    refusing.request = () => {
      throw new Error('not the leader')
    }
    connection.start(refusing)
    await turn()
    expect([refusing.log, sent(), state.isDestroyed]).toEqual([['not the leader'], [], false])
    const late = Object.assign(new RecordedExchange('/b'), {
      onWritten() {
        throw new Error('suspended')
      },
    })
    connection.start(late)
    await turn()
    expect([late.log.at(-1), state.isDestroyed]).toEqual(['suspended', true])
  })

  it('aborts a large body whose rest may not be written any more', async () => {
    const { connection, start, turn, read, sent, state } = open()
    read(setting(4, 10))
    await turn()
    let mayWrite = true
    const parts: string[] = []
    const large = Object.assign(new RecordedExchange('/a', '0123456789abcdefghijklmnop'), {
      beforePart() {
        if (!mayWrite) throw new Error('not the leader')
        parts.push('before')
      },
      onWritten() {
        parts.push('after')
      },
    })
    connection.start(large)
    await turn()
    sent()
    read(frame(windowUpdate, 0, 1, uint32(10)))
    await turn()
    expect(sent()).toEqual(['data 1 abcdefghij'])
    expect(parts).toEqual(['after', 'before', 'after'])
    mayWrite = false
    // It is not asked while the window is used up.
    read(frame(ping, 0, 0, 'abcdefgh'), frame(windowUpdate, 0, 0, uint32(10)))
    await turn()
    sent()
    expect(large.log).toEqual(['request'])
    read(frame(windowUpdate, 0, 1, uint32(10)))
    await turn()
    expect(sent()).toEqual(['reset 1 00000008'])
    expect([large.log, state.isDestroyed]).toEqual([['request', 'not the leader'], false])
    const next = start('/b')
    await turn()
    read(response(3, 'x'))
    expect(next.log.at(-1)).toBe('end')
  })

  it('asks a quiet server whether it is there, and gives up when nothing comes', async () => {
    const { clock, start, turn, read, sent, state } = open()
    const exchange = start('/watch')
    await turn()
    sent()
    await clock.advance(31_000)
    await turn()
    expect(sent()).toEqual(['ping 0 0000000000000000'])
    read(frame(ping, frameFlag.acknowledgement, 0, Buffer.alloc(8)))
    await clock.advance(20_000)
    expect(state.isDestroyed).toBe(false)
    await clock.advance(60_000)
    expect([exchange.log.at(-1), state.isDestroyed]).toEqual(['nothing was received from the server for 45 seconds', true])
  })

  it.each([
    ['a frame that is too large', frame(data, 0, 1, 'x'.repeat(16_385)), 'frame of 16385 bytes', 6],
    ['headers of an unknown stream', frame(headers, endHeaders, 99, ok), 'opened the stream 99', 1],
    ['a stream of its own', frame(headers, endHeaders, 2, ok), 'opened the stream 2', 1],
    ['data of an unknown stream', frame(data, 0, 99, 'x'), 'opened the stream 99', 1],
    ['data without a stream', frame(data, 0, 0, 'x'), 'without a stream', 1],
    ['a push', frame(frameType.pushPromise, endHeaders, 1, ok), 'pushes', 1],
    ['a continuation of nothing', frame(continuation, endHeaders, 1, ok), 'middle of headers', 1],
    ['a ping between headers', Buffer.concat([frame(headers, 0, 1, ok), frame(ping, 0, 0, 'abcdefgh')]), 'middle of headers', 1],
    ['data between headers', Buffer.concat([frame(headers, 0, 1, ok), frame(data, 0, 1, 'x')]), 'middle of headers', 1],
    ['headers within a body', Buffer.concat([frame(headers, endHeaders, 1, ok), frame(headers, endHeaders, 1, ok)]), 'middle of a body', 1],
    ['headers that are too long', endlessHeaders('x'.repeat(16_384), 17), 'too long', 1],
    ['headers of endless empty frames', endlessHeaders('', 30_000), 'too long', 1],
    ['headers that are no HPACK', frame(headers, endHeaders, 1, Buffer.from('ff', 'hex')), 'ends within a header', 9],
    ['more padding than data', frame(data, padded, 1, '\x09abc'), 'more padding', 1],
    ['a window of more than 2^31', frame(windowUpdate, 0, 0, uint32(0x7fff_ffff)), 'too large', 3],
    ['an update of nothing', frame(windowUpdate, 0, 0, uint32(0)), 'by nothing', 1],
    ['an initial window that is too large', setting(4, 0x8000_0000), 'too large', 3],
    ['a frame size that is too small', setting(5, 100), 'frames of 100 bytes', 1],
    ['settings of a wrong length', frame(settings, 0, 0, 'abc'), 'malformed settings', 6],
    ['a ping of a wrong length', frame(ping, 0, 0, 'abc'), 'malformed ping', 6],
  ])('closes the connection after %s', async (_name, bytes, message, code) => {
    const { start, turn, read, sent, state } = open()
    const exchange = start('/a')
    await turn()
    sent()
    read(bytes)
    expect(exchange.log.at(-1)).toContain(message)
    expect(state.isDestroyed).toBe(true)
    expect(sent().at(-1)).toBe(`goAway 0 ${uint32(0, code).toString('hex')}`)
  })

  it('refers to no header that the server does not keep', async () => {
    const { start, turn, read, sent } = open()
    start('/a')
    await turn()
    sent()
    read(setting(1, 0))
    start('/b')
    await turn()
    expect(sent().at(-1)).toContain('authorization=Bearer secret')
  })
})
