// A log of JSON lines, for log collectors.
import type { Clock } from '../../base/clock.ts'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]
type LogFields = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export interface Log {
  write(level: LogLevel, message: string, fields?: LogFields): void
}

export function createLog(clock: Clock, write: (line: string) => void, minLevel: LogLevel): Log {
  return {
    write(level, message, fields = {}) {
      if (logLevels.indexOf(level) < logLevels.indexOf(minLevel)) return
      write(`${JSON.stringify({ time: new Date(clock.now()).toISOString(), level, message, ...fields })}\n`)
    },
  }
}
