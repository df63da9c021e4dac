// Memory goes back to the system when there is nothing to do.
//
// V8 has a collector for that, which works bit by bit and beside the program, moves what is left together and lets go of
// the pages. It only runs where V8 thinks that the program allocates little, and while nothing happens V8 learns nothing: it
// goes by the last busy seconds for ever. Told to favour size over speed, it runs within the next ten seconds. With 10,000
// pods that is 66 MB less, for 0.3 s of processor time. Then speed comes first again: nobody who comes next shall wait.
//
// It has its price: V8 also forgets what it has compiled for objects that are not there any more. The first thousands of
// requests after that take 0.6 s of processor time more, all together. So it is only done after the heap has grown much.
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import type { CancelTimer, Clock } from '../base/clock.ts'

const lookEveryMs = 1000
/** Of one processor. */
const busyShare = 0.1
/** More than the collector takes: somebody has come. */
const crowdedShare = 0.5
const quietLooks = 2
const sparingLooks = 13
const worthwhileBytes = 50_000_000
/** From here on, what the heap may grow by between two collections counts more than the time that they take. */
const largeBytes = 700_000_000
const tightGrowth = '--heap-growing-percent=25'
/** While a heap is small. */
export const usualGrowth = '--heap-growing-percent=70'

/** What is known of the process, and what is asked of it. */
export interface ProcessMemory {
  cpuMs(): number
  /** What the heap has of the system. */
  heapBytes(): number
  /** What the program holds of it, with some garbage. */
  usedBytes(): number
  setFlags(flags: string): void
}

const ownMemory: ProcessMemory = {
  cpuMs() {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  heapBytes: () => getHeapStatistics().total_heap_size,
  usedBytes: () => getHeapStatistics().used_heap_size,
  setFlags: setFlagsFromString,
}

/** `letGo` is called before. Returns how to end it. */
export function spareMemoryWhenIdle(clock: Clock, letGo: () => void, { cpuMs, heapBytes, usedBytes, setFlags } = ownMemory): CancelTimer {
  /** Looks since the last busy one. Undefined: nothing is to be done before the next. */
  let quiet: number | undefined = 0
  let leftBytes = heapBytes()
  let seenMs = clock.now()
  let seenCpuMs = cpuMs()
  const spare = (isSparing: boolean) => setFlags(isSparing ? '--optimize-for-size' : '--no-optimize-for-size')
  let growth = usualGrowth
  const look = () => {
    cancel = clock.after(lookEveryMs, look)
    const wanted = usedBytes() >= largeBytes ? tightGrowth : usualGrowth
    if (wanted !== growth) setFlags(wanted)
    growth = wanted
    const [nowMs, nowCpuMs] = [clock.now(), cpuMs()]
    const share = (nowCpuMs - seenCpuMs) / Math.max(lookEveryMs, nowMs - seenMs)
    seenMs = nowMs
    seenCpuMs = nowCpuMs
    const isSparing = quiet !== undefined && quiet >= quietLooks
    if (share >= (isSparing ? crowdedShare : busyShare)) {
      if (isSparing) spare(false)
      quiet = 0
    } else if (quiet !== undefined) {
      quiet++
      if (quiet === quietLooks) {
        if (heapBytes() - leftBytes >= worthwhileBytes) {
          letGo()
          spare(true)
        } else quiet = undefined
      } else if (quiet === quietLooks + sparingLooks) {
        spare(false)
        leftBytes = heapBytes()
        quiet = undefined
      }
    }
  }
  let cancel = clock.after(lookEveryMs, look)
  return () => cancel()
}
