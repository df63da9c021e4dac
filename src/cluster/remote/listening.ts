// How the servers of a process beside an API server start and stop.
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { messageOf } from '../../base/error-message.ts'

/** Resolves to the port. `explain` makes the error of a server that cannot listen. */
export function listen(server: Server, host: string, port: number, explain: (error: NodeJS.ErrnoException) => Error): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explain(error)))
    server.listen(port, host, () => {
      // A later error, such as a connection that cannot be accepted for want of descriptors, ends nothing else.
      server.on('error', () => {})
      resolve((server.address() as AddressInfo).port)
    })
  })
}

interface Answerer {
  on(event: 'error', listener: () => void): unknown
  destroy(error: Error): unknown
}

/**
 * The boundary of every server beside the API server: whatever a client sends, a fault of the handler ends that client's connection, and
 * not the process. For requests and upgrades.
 */
export function guarded<Request, Response extends Answerer, Rest extends readonly unknown[]>(
  handle: (request: Request, response: Response, ...rest: Rest) => void | Promise<void>,
): (request: Request, response: Response, ...rest: Rest) => void {
  return (request, response, ...rest) => {
    // The client disconnects in the middle of the response.
    response.on('error', () => {})
    const run = async () => handle(request, response, ...rest)
    run().catch((error: unknown) => response.destroy(new Error(messageOf(error))))
  }
}

/** Ends all connections. */
export function closeServer(server: Pick<HttpServer, 'close' | 'closeAllConnections'>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** Undefined where it is longer than `maxBytes`. */
export async function readBody(request: AsyncIterable<Buffer>, maxBytes: number): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request) {
    length += piece.length
    if (length > maxBytes) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}
