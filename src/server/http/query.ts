// The query of a request, parsed as in Go: invalid escapes are ignored, and plus is a space.

import { badRequestError } from '../../api/machinery/status-error.ts'
import { getOrAdd } from '../../base/maps.ts'

export class Query {
  readonly #values = new Map<string, string[]>()

  constructor(text: string) {
    if (text === '') return
    for (const pair of text.split('&')) {
      if (pair === '' || pair.includes(';')) continue
      const equals = pair.indexOf('=')
      const name = unescapeQuery(equals < 0 ? pair : pair.slice(0, equals))
      const value = equals < 0 ? '' : unescapeQuery(pair.slice(equals + 1))
      if (name === undefined || value === undefined) continue
      getOrAdd(this.#values, name, () => []).push(value)
    }
  }

  get isEmpty(): boolean {
    return this.#values.size === 0
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? []
  }

  text(name: string): string | undefined {
    return this.#values.get(name)?.[0]
  }

  /** Any value except `0` and `false` is true, also an empty one: `?watch`. */
  flag(name: string): boolean | undefined {
    const text = this.text(name)
    return text === undefined ? undefined : text !== '0' && text.toLowerCase() !== 'false'
  }

  int64(name: string): number | undefined {
    const text = this.text(name)
    return text === undefined ? undefined : parseInt64(text)
  }
}

const maxInt64 = 2n ** 63n - 1n

/** Throws Go's error for an invalid 64-bit number. */
function parseInt64(text: string): number {
  if (!/^[+-]?[0-9]+$/.test(text)) throw badRequestError(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  if (value > maxInt64 || value < -maxInt64 - 1n)
    throw badRequestError(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`)
  return Number(value)
}

/** Undefined for an invalid escape. Invalid UTF-8 becomes U+FFFD. */
export function unescapePercent(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    if (/%(?![0-9a-fA-F]{2})/.test(text)) return undefined
    const bytes = Buffer.from(text, 'utf8').toString('latin1')
    return Buffer.from(
      bytes.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString('utf8')
  }
}

function unescapeQuery(text: string): string | undefined {
  return unescapePercent(text.includes('+') ? text.replaceAll('+', ' ') : text)
}
