// Parts of URLs.

/** The host as a URL has it: IPv6 addresses have brackets there, and none elsewhere. */
export const urlHostOf = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** The host of a URL, for a socket. */
export const hostOfUrl = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[|\]$/g, '')

/** Without the slashes at its end. The time of the expression `/\/+$/` grows with the square of the length. */
export function trimLastSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}
