// One request and its response on a connection, and the limits of a connection.
import type { Exchange } from '../exchange.ts'

export interface Stream {
  readonly id: number
  readonly exchange: Exchange
  hasHead: boolean
  /** Data since the last update of its window. */
  unreported: number
  /** Whether any of the body was passed on. */
  hasBody: boolean
}

export const newStream = (id: number, exchange: Exchange): Stream => ({ id, exchange, hasHead: false, unreported: 0, hasBody: false })

/** Until the server's settings arrive. */
export const assumedMaxStreams = 100
/** If they contain no limit, as in client-go. */
export const defaultMaxStreams = 1000
export const maxStreamId = 2 ** 31 - 1
/** The maximum of one write to the socket. More is written when the operating system has taken it. */
export const maxWriteBytes = 131_072
