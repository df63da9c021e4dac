// Ports for programs whose port has to be known before they start.
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the ephemeral ports of the system. Each worker has a range of its own and starts at a random port in it, because another run of
// the tests on this machine has the same ranges.
const rangeSize = 2000
const first = 10_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 10) * rangeSize
let next = (process.pid * 37) % rangeSize

/** A port on which no program listens. No port is returned twice, so that a program may take its time to listen. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < rangeSize; tried++) {
    const port = first + (next++ % rangeSize)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
  throw new Error(`no port from ${first} to ${first + rangeSize - 1} is free`)
}
