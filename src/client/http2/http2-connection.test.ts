import { describe, expect, it } from 'vitest'
import { frameFlag, preface } from './frames.ts'
import { HeaderDecoder } from './header-decoder.ts'
import {
  continuation,
  data,
  endHeaders,
  endStream,
  frame,
  headers,
  ok,
  open,
  padded,
  ping,
  response,
  setting,
  settings,
  uint32,
  windowUpdate,
} from './testing/http2-bench.ts'

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
