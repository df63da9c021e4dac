// Memory goes back to the system when there is nothing to do.
//
// V8 has a collector for that, which works bit by bit and beside the program, moves what is left together and lets go of
// the pages. It only runs where V8 thinks that the program allocates little, and while nothing happens V8 learns nothing: it
// goes by the last busy seconds for ever. Told to favour size over speed, it runs some eight seconds later. With 10,000 pods
// that is 66 MB less, for 0.3 s of processor time. While there is work, speed comes first.
import { setFlagsFromString } from 'node:v8'
import type { CancelTimer, Clock } from '../base/clock.ts'

const lookEveryMs = 1000
/** Of one processor. What the collector itself takes must not be taken for work: two busy looks in a row are. */
const busyShare = 0.1
const looks = 2

/** Returns how to end it. */
export function spareMemoryWhenIdle(clock: Clock, setFlags = setFlagsFromString, cpuMs = readCpuMs): CancelTimer {
  let isSparing = false
  let others = 0
  let seenMs = clock.now()
  let seenCpuMs = cpuMs()
  const look = () => {
    const [nowMs, nowCpuMs] = [clock.now(), cpuMs()]
    const isIdle = nowCpuMs - seenCpuMs < busyShare * Math.max(lookEveryMs, nowMs - seenMs)
    seenMs = nowMs
    seenCpuMs = nowCpuMs
    others = isIdle === isSparing ? 0 : others + 1
    if (others === looks) {
      others = 0
      isSparing = isIdle
      setFlags(isSparing ? '--optimize-for-size' : '--no-optimize-for-size')
    }
    cancel = clock.after(lookEveryMs, look)
  }
  let cancel = clock.after(lookEveryMs, look)
  return () => cancel()
}

function readCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
