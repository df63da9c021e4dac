// The addresses of a server, by the address on which it listens.
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { urlHostOf } from '../../base/url.ts'
import { localHosts } from './credentials.ts'

const isAnyAddress = (host: string) => host === '0.0.0.0' || host === '::'

/** The names in the server's certificate. A server on all addresses can be reached by each of them, and by the machine's name. */
export function hostsOf(host: string): readonly string[] {
  if (!isAnyAddress(host)) return localHosts.includes(host) ? localHosts : [...localHosts, host]
  const addresses = Object.values(networkInterfaces()).flatMap((one = []) => one.map(({ address }) => address))
  return [...new Set([...localHosts, ...addresses, hostname()])]
}

export function urlOf(host: string, port: number): string {
  return `https://${urlHostOf(isAnyAddress(host) ? '127.0.0.1' : host)}:${port}`
}

/** The address at which other machines reach the server, or would if it listened on more than loopback. */
export function reachableAddress(host: string): string | undefined {
  if (isIP(host) !== 0 && !isAnyAddress(host) && !host.startsWith('127.') && host !== '::1') return host
  const own = Object.values(networkInterfaces()).flatMap((one = []) => one)
  return own.find(({ internal, family }) => !internal && family === 'IPv4')?.address
}
