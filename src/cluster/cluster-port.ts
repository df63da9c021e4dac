// The port of a cluster: which one, and what the user reads when it cannot be had.
import { createServer } from 'node:net'

export const defaultPort = 6443

/** Starts what listens on that port. Default: the usual one, or any free one where another program has it. */
export async function startOnPort<T>(start: (port: number) => Promise<T>, port: number | undefined): Promise<T> {
  try {
    return await start(port ?? defaultPort)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EADDRINUSE' && port === undefined) return start(0)
    if (code === 'EADDRINUSE')
      throw new Error(`Cannot listen on port ${port}: address in use. Choose another with --port, or --port 0 for any free one.`)
    if (code === 'EACCES') throw new Error(`Cannot listen on port ${port}: permission denied. Choose a port above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new Error('Cannot listen on that address: it does not belong to this machine. Choose another with --host.')
    throw error
  }
}

/** Listens, and stops at once. */
export const requireListenable = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen({ host, port }, () => server.close(() => resolve()))
  })
