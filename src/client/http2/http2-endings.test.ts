import { describe, expect, it } from 'vitest'
import { frameFlag, frameType } from './frames.ts'
import {
  continuation,
  data,
  endHeaders,
  endlessHeaders,
  frame,
  goAway,
  headers,
  ok,
  open,
  padded,
  ping,
  RecordedExchange,
  reset,
  response,
  setting,
  settings,
  uint32,
  windowUpdate,
} from './testing/http2-bench.ts'

describe('the end of requests and of connections', () => {
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
    // `beforePart` is not called while the window is used up.
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

  it('pings a silent server, and closes the connection without a response', async () => {
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
    ['a push', frame(frameType.pushPromise, endHeaders, 1, ok), 'push promise', 1],
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
})
