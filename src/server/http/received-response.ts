// The boundary to other programs that answer this server: aggregated servers, webhooks, converters. A response can be huge, cut off or
// invalid; each of these is an error to the request that needs it, and to no other.
import type { ClientRequest, IncomingMessage } from 'node:http'

/** Ours: Kubernetes has no limit. A conversion of a list of objects is the largest response that is expected. */
const maxReceivedBytes = 64 * 1024 * 1024

/** The whole body. Rejects if it is larger than `maxBytes`, or ends before it is complete. */
export function readResponse(response: IncomingMessage, maxBytes = maxReceivedBytes): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let length = 0
    response.on('data', (piece: Buffer) => {
      length += piece.length
      if (length > maxBytes) response.destroy(new Error(`the response is larger than ${maxBytes} bytes`))
      else pieces.push(piece)
    })
    response.on('error', reject)
    response.on('end', () => {
      if (length <= maxBytes) resolve(Buffer.concat(pieces).toString())
    })
  })
}

/** Without a listener, Node drops the connection of an upgrade that was not requested, sometimes without an error. */
export function refuseUpgrade(outgoing: ClientRequest, onRefused: (error: Error) => void): void {
  outgoing.on('upgrade', (_response, socket) => {
    socket.on('error', () => {})
    socket.destroy()
    onRefused(new Error('the server upgraded a connection without a request to do so'))
  })
}

/** Whether a server may send this code as that of its final response. Others cannot be passed on. */
export const isFinalStatus = (code: number | undefined): code is number => code !== undefined && code >= 200 && code <= 599
