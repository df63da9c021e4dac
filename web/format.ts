// Numbers and times for people.
import { formatHumanDuration } from '../src/base/duration.ts'

/** As kubectl prints ages: two units at most. */
export const formatAge = (ms: number): string => formatHumanDuration(Math.max(0, ms))

export function formatBytes(bytes: number): string {
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti']
  let [value, unit] = [bytes, 0]
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value >= 10 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)}${units[unit]}`
}

export const formatCores = (cores: number): string => (Number.isInteger(cores) ? String(cores) : cores.toFixed(1))

export const formatClock = (ms: number): string => new Date(ms).toISOString().slice(11, 19)
