// One line of JSON for each thing that happens, for log collectors.
import type { Clock } from '../../base/clock.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
type LogFields = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export interface Log {
  write(level: LogLevel, message: string, fields?: LogFields): void
}

const order: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']
export const logLevels = order

export function createLog(clock: Clock, write: (line: string) => void, least: LogLevel = 'info'): Log {
  return {
    write(level, message, fields = {}) {
      if (order.indexOf(level) < order.indexOf(least)) return
      write(`${JSON.stringify({ time: new Date(clock.now()).toISOString(), level, message, ...fields })}\n`)
    },
  }
}
