import { describe, expect, it } from 'vitest'
import { ResponseReader } from './http1-response.ts'

function open() {
  const received = { heads: [] as number[], body: '', ends: [] as boolean[] }
  const parts: Buffer[] = []
  const reader = new ResponseReader({
    onHead: ({ status }) => received.heads.push(status),
    onBody: (bytes) => parts.push(Buffer.from(bytes)),
    onEnd: (isReusable) => received.ends.push(isReusable),
  })
  return { reader, received, finish: () => ({ ...received, body: Buffer.concat(parts).toString() }) }
}

/** In one piece, in pieces of every small size, and byte by byte. */
const pieceSizes = [100_000, 1, 2, 3, 7, 16]

function readInPieces(text: string, size: number) {
  const { reader, finish } = open()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) reader.read(bytes.subarray(at, at + size))
  return { ...finish(), isComplete: reader.end() }
}

describe('ResponseReader', () => {
  it.each([
    ['a body with a length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhällo'.replace('5', '6'), 200, 'hällo', true],
    ['an empty body', 'HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n', 201, '', true],
    [
      'chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n',
      200,
      'abc0123456789',
      true,
    ],
    ['chunks with bare line feeds', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n03 \nabc\n0\n\n', 200, 'abc', true],
    ['trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\nZ: 1\r\n\r\n', 200, 'a', true],
    ['no content', 'HTTP/1.1 204 No Content\r\n\r\n', 204, '', true],
    ['an interim response', 'HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}', 404, '{}', true],
    ['a connection that closes', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}', 200, '{}', false],
    ['a body that ends with the connection', 'HTTP/1.1 200 OK\r\n\r\nall of it', 200, 'all of it', false],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}', 200, '{}', false],
    ['no reason phrase', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n{}', 200, '{}', true],
  ])('reads %s, however it is split', (_name, text, status, body, isReusable) => {
    for (const size of pieceSizes)
      expect(readInPieces(text, size), `pieces of ${size}`).toEqual({ heads: [status], body, ends: [isReusable], isComplete: true })
  })

  it.each([
    ['a head', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['a body', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc'],
    ['a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc'],
    ['the last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n'],
  ])('reports that %s is incomplete when the connection ends', (_name, text) => {
    for (const size of pieceSizes) expect(readInPieces(text, size)).toMatchObject({ ends: [], isComplete: false })
  })

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n', /SSH-2.0-OpenSSH.*is not HTTP/],
    ['a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', /Content-Length of "-1"/],
    ['a chunk size that is no number', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', /chunk of size "xyz"/],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\nabc', /chunk of size ""/],
    ['a chunk size with a number and more', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1 2\r\n', /chunk of size "1 2"/],
    ['a chunk that is too large', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'f'.repeat(14)}\r\n`, /chunk of size/],
    ['a chunk that is too long', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n', /longer than announced/],
    ['more than the response', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc', /more than the response/],
    ['endless headers', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}`, /too long/],
  ])('refuses %s', (_name, text, message) => {
    expect(() => readInPieces(text, 1_000_000)).toThrow(message)
  })
})
