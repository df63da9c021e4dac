// Times as people read them in a table: two units at the most, fewer as they grow.

/** `12s`, `3m4s`, `25m`, `5h7m`, `3d4h`, `2y10d`. A little in the future counts as now. */
export function formatHumanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (hours < 192) return two(days, 'd', hours % 24, 'h')
  if (days < 730) return `${days}d`
  const years = Math.floor(days / 365)
  if (hours < 24 * 365 * 8) return two(years, 'y', days % 365, 'd')
  return `${years}y`
}

const two = (large: number, largeUnit: string, small: number, smallUnit: string) =>
  small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`

/** How long ago the time was. */
export function formatAge(time: string | undefined | null, nowMs: number): string {
  return time === undefined || time === null ? '<unknown>' : formatHumanDuration(nowMs - Date.parse(time))
}
