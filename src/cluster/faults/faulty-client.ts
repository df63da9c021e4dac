// A client whose calls and watches are delayed, fail, or are cut off, by the faults at the time of the call.
import { internalError } from '../../api/machinery/status-error.ts'
import { type Clock, sleep } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import { wrapWrites } from '../wrapped-calls.ts'

export interface Faults {
  /** The number of writes that fail from now on. */
  failWrites: number
  /** The failing writes are applied, and only their responses are lost. */
  losesAnswers: boolean
  /** The maximum delay of a call. */
  callMs: number
  /** The maximum delay of a watch event. The order stays. */
  watchMs: number
  /** Every write fails, because a controller writes endlessly. */
  refusesWrites: boolean
  /** The number of watch events that are not delivered yet. Maintained by the clients. */
  behind: number
}

export const noFaults = (): Faults => ({ failWrites: 0, losesAnswers: false, callMs: 0, watchMs: 0, refusesWrites: false, behind: 0 })

/** Once it is cut, its controllers count as dead: their calls fail, and they receive no events. */
export interface FaultyConnection {
  isCut: boolean
}

interface FaultyClientOptions {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly faults: Faults
  readonly connection: FaultyConnection
}

/** More calls at the same virtual time are treated as a livelock. */
const maxCallsAtOnce = 200
const stuckMs = 20

export function createFaultyClient({ client, clock, random, faults, connection }: FaultyClientOptions): Client {
  /** The calls at the current virtual time, while events are delayed. */
  let momentMs = 0
  let callsNow = 0
  // Two controllers may undo each other's work while one has not received an event yet. Without a delay they would do so for ever.
  const isStuck = () => {
    if (faults.behind === 0) return false
    const nowMs = clock.now()
    if (nowMs !== momentMs) callsNow = 0
    momentMs = nowMs
    return ++callsNow > maxCallsAtOnce
  }
  const pause = () => {
    const randomMs = faults.callMs > 0 ? Math.floor(random.next() * (faults.callMs + 1)) : 0
    const ms = randomMs === 0 && isStuck() ? stuckMs : randomMs
    return ms === 0 ? undefined : sleep(clock, ms)
  }
  const checkConnection = () => {
    if (connection.isCut) throw new Error('The connection is cut')
  }
  const call = async <T>(run: () => Promise<T>): Promise<T> => {
    checkConnection()
    await pause()
    checkConnection()
    const answer = await run()
    await pause()
    checkConnection()
    return answer
  }
  const write = <T>(run: () => Promise<T>): Promise<T> =>
    call(async () => {
      checkRefusal(faults)
      if (faults.failWrites <= 0) return run()
      faults.failWrites--
      if (faults.losesAnswers) await run()
      throw internalError('this failure was injected')
    })

  return {
    ...wrapWrites(client, write),
    get: (...request) => call(() => client.get(...request)),
    list: (...request) => call(() => client.list(...request)),
    watch(resource, request, handlers) {
      let isClosed = false
      const waiting: (() => void)[] = []
      let lastMs = 0
      /** Each timer delivers the oldest waiting event, so that the order stays whatever the delays. */
      const later = (run: () => void) => {
        const lagMs = faults.watchMs > 0 ? Math.floor(random.next() * (faults.watchMs + 1)) : 0
        if (lagMs === 0 && waiting.length === 0) return connection.isCut ? undefined : run()
        waiting.push(run)
        faults.behind++
        lastMs = Math.max(lastMs, clock.now() + lagMs)
        clock.after(lastMs - clock.now(), () => {
          const deliver = waiting.shift()!
          faults.behind--
          if (!isClosed && !connection.isCut) deliver()
        })
      }
      const close = client.watch(resource, request, {
        onEvents: (events) => later(() => handlers.onEvents(events)),
        onEnd: (error) => later(() => handlers.onEnd(error)),
      })
      return () => {
        isClosed = true
        close()
      }
    },
  }
}

function checkRefusal({ refusesWrites }: Faults): void {
  if (refusesWrites) throw internalError('writes are refused, because a controller writes endlessly')
}

/** Passes writes on until they are refused. */
export const refusing = (client: Client, faults: Faults): Client =>
  wrapWrites(client, async (run) => {
    checkRefusal(faults)
    return run()
  })
