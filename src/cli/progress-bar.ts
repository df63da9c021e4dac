// A progress bar for a terminal.
import { realClock } from '../base/clock.ts'

interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Shorter work shows no bar. */
const showAfterMs = 1000
const everyMs = 100
const width = 30

/** Appears after a second, and only on a terminal. `clear` removes it. It is plain text: it needs no escape sequences. */
export function progressBar(screen: Screen): { show(share: number): void; clear(): void } {
  const startedMs = realClock.now()
  let shownMs = 0
  let shownLength = 0
  return {
    show(share) {
      const nowMs = realClock.now()
      if (!screen.isTTY || nowMs - startedMs < showAfterMs || nowMs - shownMs < everyMs) return
      shownMs = nowMs
      const full = Math.round(share * width)
      const leftMs = share > 0.05 ? ((nowMs - startedMs) / share) * (1 - share) : undefined
      const left = leftMs === undefined ? '' : `, ${Math.ceil(leftMs / 1000)} s left`
      const text = `[${'#'.repeat(full)}${' '.repeat(width - full)}] ${Math.round(share * 100)}%${left}`
      screen.write(`\r${text.padEnd(shownLength)}`)
      shownLength = text.length
    },
    clear() {
      if (shownLength > 0) screen.write(`\r${' '.repeat(shownLength)}\r`)
      shownLength = 0
    },
  }
}
