// Ports for programs that must be told theirs before they start.
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the range of which the system gives ports to those that ask for any. Each worker has a range of its own, and starts somewhere in it:
// another run of the tests on this machine has the same ranges.
const rangeSize = 2000
const first = 10_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 10) * rangeSize
let next = (process.pid * 37) % rangeSize

/** A port of this machine on which nothing listens. None is given twice, so that programs may take their time to listen. */
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
