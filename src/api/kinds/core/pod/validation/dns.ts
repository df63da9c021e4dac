// Kubernetes: pkg/apis/core/validation.validatePodDNSConfig, validateDNSPolicy, ValidateHostAliases
import { type At, type FieldError, invalid, required } from '../../../../machinery/field-error.ts'
import { isValidIp } from '../../../../machinery/validation/ip-address.ts'
import { byteLength, isDns1123Subdomain, isDns1123SubdomainWithUnderscore } from '../../../../machinery/validation/names.ts'
import type { PodSpec } from '../../../../types.ts'
import { addProblems } from './names.ts'

/** Linux' resolver sets these limits. */
const maxNameservers = 3
const maxSearches = 32
const maxSearchCharacters = 2048

export function checkDnsConfig(errors: FieldError[], { dnsConfig, dnsPolicy }: PodSpec, at: At): void {
  if (dnsPolicy === 'None') {
    if (!dnsConfig) {
      errors.push(required(at(), 'must provide `dnsConfig` when `dnsPolicy` is None'))
      return
    }
    if (!dnsConfig.nameservers?.length) {
      errors.push(required(`${at()}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None'))
      return
    }
  }
  if (!dnsConfig) return
  const { nameservers = [], searches = [], options = [] } = dnsConfig
  if (nameservers.length > maxNameservers)
    errors.push(invalid(`${at()}.nameservers`, nameservers, `must not have more than ${maxNameservers} nameservers`))
  for (const [index, server] of nameservers.entries()) addProblems(errors, isValidIp(server), server, () => `${at()}.nameservers[${index}]`)
  if (searches.length > maxSearches)
    errors.push(invalid(`${at()}.searches`, searches, `must not have more than ${maxSearches} search paths`))
  if (byteLength(searches.join(' ')) > maxSearchCharacters)
    errors.push(
      invalid(
        `${at()}.searches`,
        searches,
        `must not have more than ${maxSearchCharacters} characters (including spaces) in the search list`,
      ),
    )
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue
    const name = search.endsWith('.') ? search.slice(0, -1) : search
    addProblems(errors, isDns1123SubdomainWithUnderscore(name), name, () => `${at()}.searches[${index}]`)
  }
  for (const [index, { name }] of options.entries()) if (!name) errors.push(required(`${at()}.options[${index}]`, 'must not be empty'))
}

export function checkHostAliases(errors: FieldError[], aliases: NonNullable<PodSpec['hostAliases']>, at: At): void {
  for (const [index, { ip = '', hostnames }] of aliases.entries()) {
    addProblems(errors, isValidIp(ip), ip, () => `${at()}[${index}].ip`)
    for (const [nameIndex, name] of (hostnames ?? []).entries())
      addProblems(errors, isDns1123Subdomain(name), name, () => `${at()}[${index}].hostnames[${nameIndex}]`)
  }
}
