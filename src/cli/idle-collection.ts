// Collects garbage once the cluster has become idle after a load, so that its memory goes back to the system.
//
// V8 collects the old generation when a program allocates. An idle program does not allocate, and would keep the garbage of
// its last load. The collection stops the process while it runs (0.3 s with 10,000 pods), so it waits for two
// idle seconds, and for a heap that has grown enough to be worth it.
import { getHeapStatistics } from 'node:v8'
import { type CancelTimer, type Clock, realClock } from '../base/clock.ts'

const checkEveryMs = 1000
/** The share of one processor above which the process counts as busy. */
const busyShare = 0.1
const idleChecks = 2
const worthwhileBytes = 50_000_000

/** The process whose memory is collected. */
interface CollectedProcess {
  cpuMs(): number
  heapBytes(): number
  collect(): void
}

const thisProcess: CollectedProcess = {
  cpuMs() {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  heapBytes: () => getHeapStatistics().total_heap_size,
  collect: () => void collectGarbage(),
}

/** By the DevTools protocol, which is the documented way. The session is inside this process: it opens no port. */
async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector')
  const session = new Session()
  session.connect()
  // Disconnecting inside the callback would block for ever.
  session.post('HeapProfiler.collectGarbage', () => void realClock.after(0, () => session.disconnect()))
}

/** `beforeCollection` releases caches. Returns how to end it. */
export function collectWhenIdle(clock: Clock, beforeCollection: () => void, { cpuMs, heapBytes, collect } = thisProcess): CancelTimer {
  let idle = 0
  let isCollecting = false
  let keptBytes = heapBytes()
  let [lastMs, lastCpuMs] = [clock.now(), cpuMs()]
  const check = () => {
    cancel = clock.after(checkEveryMs, check)
    const [nowMs, nowCpuMs] = [clock.now(), cpuMs()]
    const share = (nowCpuMs - lastCpuMs) / Math.max(checkEveryMs, nowMs - lastMs)
    lastMs = nowMs
    lastCpuMs = nowCpuMs
    if (isCollecting) {
      isCollecting = false
      keptBytes = heapBytes()
    }
    idle = share >= busyShare ? 0 : idle + 1
    if (idle < idleChecks || heapBytes() - keptBytes < worthwhileBytes) return
    beforeCollection()
    collect()
    isCollecting = true
  }
  let cancel = clock.after(checkEveryMs, check)
  return () => cancel()
}
