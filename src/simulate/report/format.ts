// Numbers and lengths of time for people. Pure: the page uses it too.

/** `0s`, `850ms`, `4.2s`, `1m 05s`, `2h 03m`, `3d 4h`. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`
  if (ms === 0) return '0s'
  if (ms < 1000) return `${Math.round(ms)}ms`
  // What rounds up to a minute is written as one.
  if (ms < 59_950) return `${trimmed(ms / 1000)}s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 1440) return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`
  const hours = Math.round(minutes / 60)
  return `${Math.floor(hours / 24)}d ${hours % 24}h`
}

/** A round length of time on an axis: `30s`, `5m`, `1m30s`, `2h`. */
export function formatTick(ms: number): string {
  if (ms === 0) return '0'
  if (ms % 1000 !== 0) return ms < 1000 ? `${ms}ms` : `${trimmed(ms / 1000)}s`
  const [days, hours, minutes, seconds] = [
    Math.floor(ms / 86_400_000),
    Math.floor(ms / 3_600_000) % 24,
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1000) % 60,
  ]
  const parts = [days && `${days}d`, hours && `${hours}h`, minutes && `${minutes}m`, seconds && `${seconds}s`]
  return parts.filter((part) => part !== 0).join('')
}

/** `12`, `3.5`, `12,345`: at most one digit after the point, and none from a hundred on. */
export function formatNumber(value: number): string {
  const rounded = Math.abs(value) >= 100 || Number.isInteger(value) ? Math.round(value) : Math.round(value * 10) / 10
  const [whole = '', fraction] = String(Math.abs(rounded)).split('.')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return `${rounded < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

/** A share as a percentage. 99.96 % is not written as 100: that would say that nothing was missing. */
export function formatShare(share: number): string {
  const percent = Math.floor(share * 1000 + 1e-9) / 10
  return `${percent} %`
}

const trimmed = (value: number) => String(Math.round(value * 10) / 10)
const two = (value: number) => String(value).padStart(2, '0')
