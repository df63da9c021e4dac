import { realClock } from '../base/clock.ts'

const sameSignalMs = 500

/**
 * Calls `end` for Ctrl-C and for the other signals that ask a process to end. A second signal ends it at once; one that comes
 * together with the first, as from npx, is the same Ctrl-C.
 */
export function onEndSignal(end: () => void): void {
  let firstMs: number | undefined
  const onSignal = () => {
    if (firstMs !== undefined && realClock.now() - firstMs >= sameSignalMs) process.exit(130)
    if (firstMs !== undefined) return
    firstMs = realClock.now()
    end()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
}
