// Quantities: `500m`, `64Mi`, `1e3`. Exact to a billionth, with the canonical form of Kubernetes.
import { cached } from './cached.ts'

export interface Quantity {
  /** The amount in billionths. */
  readonly nano: bigint
  readonly format: 'BinarySI' | 'DecimalSI' | 'DecimalExponent'
}

const wrongForm = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const wrongNumber = 'unable to parse numeric part of quantity'
const wrongSuffix = "unable to parse quantity's suffix"

const billion = 1_000_000_000n
// Kubernetes caps binary quantities here; it also bounds the digits of all computations.
const maxNano = (2n ** 63n - 1n) * billion

const decimalExponents: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }
const decimalSuffixes = new Map(Object.entries(decimalExponents).map(([suffix, exponent]) => [exponent, suffix]))
const binaryExponents: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 }
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** The time to parse and compute grows with the square of the length. */
const maxCharacters = 1000

const shape = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/

/** The quantity, or the error message of Kubernetes. */
export function readQuantity(text: string): Quantity | string {
  if (text.length > maxCharacters) return wrongNumber
  const match = shape.exec(text)
  if (text === '' || match === null) return wrongForm
  const [, sign, whole = '', fraction = '', suffix = ''] = match
  if (whole === '' && fraction === '' && suffix === '') return sign === '' && text !== '.' ? wrongForm : wrongNumber
  const digits = BigInt(whole + fraction || '0') * (sign === '-' ? -1n : 1n)
  const binary = Object.hasOwn(binaryExponents, suffix) ? binaryExponents[suffix] : undefined
  if (binary !== undefined) return capped(roundUp(digits * 2n ** BigInt(binary), 9 - fraction.length), 'BinarySI')
  if (Object.hasOwn(decimalExponents, suffix)) return amount(digits, fraction.length, decimalExponents[suffix]!, 'DecimalSI')
  const exponent = /^[eE]([+-]?[0-9]+)$/.exec(suffix)
  if (exponent === null) return wrongSuffix
  return amount(digits, fraction.length, Number(exponent[1]), 'DecimalExponent')
}

export function parseQuantity(text: string): Quantity | undefined {
  const quantity = readQuantity(text)
  return typeof quantity === 'string' ? undefined : quantity
}

// Bounded: a huge exponent would mean computing with millions of digits.
function amount(digits: bigint, fractionDigits: number, exponent: number, format: Quantity['format']): Quantity {
  const bounded = Math.max(-60, Math.min(60, exponent))
  return { nano: roundUp(digits, bounded + 9 - fractionDigits), format }
}

/** `digits * 10^exponent`, rounded away from zero. */
function roundUp(digits: bigint, exponent: number): bigint {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent)
  const divisor = 10n ** BigInt(-exponent)
  const whole = digits / divisor
  if (whole * divisor === digits) return whole
  return digits < 0n ? whole - 1n : whole + 1n
}

function capped(nano: bigint, format: Quantity['format']): Quantity {
  const cut = nano > maxNano ? maxNano : nano < -maxNano ? -maxNano : nano
  return { nano: cut, format: cut > 0n && cut < billion ? 'DecimalSI' : format }
}

/** The canonical form. */
export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return '0'
  const absolute = nano < 0n ? -nano : nano
  if (format === 'BinarySI' && absolute >= 1024n * billion && nano % billion === 0n) return formatBinary(nano / billion)
  let mantissa = nano
  let exponent = -9
  while (mantissa % 10n === 0n) {
    mantissa /= 10n
    exponent++
  }
  while (exponent % 3 !== 0) {
    mantissa *= 10n
    exponent--
  }
  if (format === 'DecimalExponent') return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`
  while (exponent > 18) {
    mantissa *= 1000n
    exponent -= 3
  }
  return `${mantissa}${decimalSuffixes.get(exponent)}`
}

function formatBinary(value: bigint): string {
  let mantissa = value
  let power = 0
  while (power < 6 && mantissa % 1024n === 0n) {
    mantissa /= 1024n
    power++
  }
  return `${mantissa}${binarySuffixes[power]}`
}

/** The canonical form (`0.5` is `500m`), or undefined for an invalid quantity. Cached: most quantities of a cluster are the same few. */
export const canonicalQuantity = cached(10_000, (text: string): string | undefined => {
  const quantity = parseQuantity(text)
  return quantity === undefined ? undefined : formatQuantity(quantity)
})

/** Negative, zero or positive, for sorting. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0
}

/** The sum in the format of the first; a zero takes the other's format. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano + b.nano, format: a.nano === 0n ? b.format : a.format }
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano - b.nano, format: a.nano === 0n ? b.format : a.format }
}

export const zeroQuantity: Quantity = { nano: 0n, format: 'DecimalSI' }

/** In thousandths, rounded up. */
export function milliValue({ nano }: Quantity): number {
  return Number(nano > 0n ? (nano + 999_999n) / 1_000_000n : nano / 1_000_000n)
}

/** As an integer, rounded up. */
export function wholeValue({ nano }: Quantity): number {
  return Number(nano > 0n ? (nano + billion - 1n) / billion : nano / billion)
}

export function isWhole({ nano }: Quantity): boolean {
  return nano % billion === 0n
}
