// IPv6 addresses have brackets in URLs, and none elsewhere.

export const urlHostOf = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** The host of a URL, for a socket. */
export const hostOfUrl = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[|\]$/g, '')
