// A client that is slow, refuses, or is cut off, as its faults say at the time of the call.
import { internalError } from '../api/machinery/status-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { Client } from '../client/client.ts'
import { wrapWrites } from '../client/wrap-writes.ts'

export interface Faults {
  /** So many writes fail from now on. */
  failWrites: number
  /** The failing writes are done nevertheless, and only their answer is lost. */
  losesAnswers: boolean
  /** Calls take up to so long. */
  callMs: number
  /** Changes are heard of up to so much later, in order. */
  watchMs: number
  /** Every write fails: somebody writes without end. */
  refusesWrites: boolean
  /** Changes that some watch has not delivered yet. Kept by the clients. */
  behind: number
}

export const noFaults = (): Faults => ({ failWrites: 0, losesAnswers: false, callMs: 0, watchMs: 0, refusesWrites: false, behind: 0 })

/** Whoever holds it is dead once it is cut: no call gets through, and nothing is heard. */
export interface Line {
  isCut: boolean
}

export interface FaultyClientOptions {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly faults: Faults
  readonly line: Line
}

/** So many calls in one moment are no accident. */
const callsInNoTime = 200
const stuckMs = 20

export function createFaultyClient({ client, clock, random, faults, line }: FaultyClientOptions): Client {
  /** The calls of this very moment. */
  let momentMs = 0
  let callsNow = 0
  // Two controllers of which one has not heard yet may undo each other's work. In no time at all they would do so for ever.
  const isStuck = () => {
    if (clock.now() !== momentMs) callsNow = 0
    momentMs = clock.now()
    return ++callsNow > callsInNoTime && faults.behind > 0
  }
  const pause = () => {
    const drawnMs = faults.callMs > 0 ? Math.floor(random.next() * (faults.callMs + 1)) : 0
    const ms = drawnMs === 0 && isStuck() ? stuckMs : drawnMs
    return ms === 0 ? undefined : new Promise<void>((resolve) => void clock.after(ms, resolve))
  }
  const checkLine = () => {
    if (line.isCut) throw new Error('The connection is cut')
  }
  const call = async <T>(run: () => Promise<T>): Promise<T> => {
    checkLine()
    await pause()
    checkLine()
    const answer = await run()
    await pause()
    checkLine()
    return answer
  }
  const write = <T>(run: () => Promise<T>): Promise<T> =>
    call(async () => {
      checkRefusal(faults)
      if (faults.failWrites <= 0) return run()
      faults.failWrites--
      if (faults.losesAnswers) await run()
      throw internalError('a fault was asked for')
    })

  return {
    ...wrapWrites(client, write),
    get: (...request) => call(() => client.get(...request)),
    list: (...request) => call(() => client.list(...request)),
    watch(resource, request, handlers) {
      let isClosed = false
      const waiting: (() => void)[] = []
      let lastMs = 0
      /** Each timer delivers what has waited longest: the order stays, whatever the lags. */
      const later = (run: () => void) => {
        const lagMs = faults.watchMs > 0 ? Math.floor(random.next() * (faults.watchMs + 1)) : 0
        if (lagMs === 0 && waiting.length === 0) return line.isCut ? undefined : run()
        waiting.push(run)
        faults.behind++
        lastMs = Math.max(lastMs, clock.now() + lagMs)
        clock.after(lastMs - clock.now(), () => {
          const deliver = waiting.shift()!
          faults.behind--
          if (!isClosed && !line.isCut) deliver()
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
  if (refusesWrites) throw internalError('writes are refused, because they do not end')
}

/** The same client until writes are refused. */
export const refusing = (client: Client, faults: Faults): Client =>
  wrapWrites(client, async (run) => {
    checkRefusal(faults)
    return run()
  })
