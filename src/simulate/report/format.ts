// Numbers, and times on an axis, for people. Pure: the page uses it too.

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

const trimmed = (value: number) => String(Math.round(value * 10) / 10)
