import { Duplex } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { acceptKey, WebSocket } from './web-socket.ts'

/** A socket that keeps what was written to it. */
class KeptSocket extends Duplex {
  readonly written: Buffer[] = []
  override _read(): void {}
  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    this.written.push(piece)
    done()
  }
}

function open() {
  const socket = new KeptSocket()
  const messages: string[] = []
  const webSocket = new WebSocket(socket, Buffer.alloc(0), { onMessage: (message) => messages.push(message.toString()), onClose() {} })
  return { socket, messages, webSocket }
}

/** A frame as a client sends it. */
function frame(opcode: number, text: string, { isLast = true, isMasked = true } = {}): Buffer {
  const body = Buffer.from(text)
  const size = body.length
  const head =
    size < 126 ? [size] : size < 65_536 ? [126, size >> 8, size & 255] : [127, 0, 0, 0, 0, 0, size >> 16, (size >> 8) & 255, size & 255]
  head[0]! |= isMasked ? 128 : 0
  const mask = [7, 1, 250, 3]
  const masked = isMasked ? body.map((byte, index) => byte ^ mask[index & 3]!) : body
  return Buffer.concat([Buffer.from([(isLast ? 128 : 0) | opcode, ...head, ...(isMasked ? mask : [])]), masked])
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('acceptKey()', () => {
  it('answers the example of the RFC', () => {
    expect(acceptKey('dGhlIHNhbXBsZSBub25jZQ==')).toBe('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
  })
})

describe('WebSocket', () => {
  it('puts messages together, whatever pieces they come in', async () => {
    const { socket, messages } = open()
    const long = 'x'.repeat(70_000)
    const bytes = Buffer.concat([
      frame(2, 'one'),
      frame(1, 'tw', { isLast: false }),
      frame(0, 'o'),
      frame(2, 'y'.repeat(300)),
      frame(2, long),
    ])
    for (let at = 0; at < 40; at++) socket.push(bytes.subarray(at, at + 1))
    socket.push(bytes.subarray(40))
    await turn()
    await turn()
    expect(messages).toEqual(['one', 'two', 'y'.repeat(300), long])
  })

  it('answers a ping and a farewell', async () => {
    const { socket, webSocket } = open()
    socket.push(frame(9, 'hi'))
    await turn()
    socket.push(frame(8, ''))
    await turn()
    webSocket.send(Buffer.from('too late'))
    await turn()
    expect(socket.written.map((piece) => piece.toString('hex'))).toEqual(['8a026869', '880203e8'])
    expect(socket.writableEnded).toBe(true)
  })

  it.each([
    [10, '820a'],
    [300, '827e012c'],
    [70_000, '827f0000000000011170'],
  ])('frames %i bytes', async (size, head) => {
    const { socket, webSocket } = open()
    webSocket.send(Buffer.alloc(size))
    await turn()
    expect(Buffer.concat(socket.written).toString('hex')).toBe(head + '00'.repeat(size))
  })

  it.each<[name: string, bytes: Buffer, code: number]>([
    ['an unmasked frame', frame(2, 'x', { isMasked: false }), 1002],
    ['an unknown opcode', frame(5, 'x'), 1002],
    ['a continuation of nothing', frame(0, 'x'), 1002],
    ['a ping in pieces', frame(9, 'x', { isLast: false }), 1002],
    ['a message inside of a message', Buffer.concat([frame(2, 'x', { isLast: false }), frame(2, 'y')]), 1002],
    ['a message that is too long', Buffer.from([0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0]), 1009],
  ])('ends at %s', async (_name, bytes, code) => {
    const { socket, messages } = open()
    socket.push(bytes)
    await turn()
    expect(socket.written.at(-1)?.readUInt16BE(2)).toBe(code)
    expect(messages).toEqual([])
  })
})
