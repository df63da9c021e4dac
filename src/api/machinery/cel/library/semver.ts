// Semantic versions: `semver('1.2.3').isLessThan(semver('1.10.0'))`.
// Kubernetes: k8s.io/apiserver/pkg/cel/library.semverLibType.*, normalizeAndParse
import { bool, int, opaque, string } from '../cel-type.ts'
import { EvaluationError } from '../evaluation-error.ts'
import { type Functions, global, member } from '../functions.ts'
import { OpaqueValue } from '../values.ts'
import { traverse } from './costs.ts'

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint]
  readonly prerelease: readonly string[]
}

type VersionValue = OpaqueValue<Version>

const shape =
  /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/

function read(text: string): Version | string {
  if (text === '') return 'Version string empty'
  const match = shape.exec(text)
  if (match === null) return shapeProblem(text)
  const prerelease = match[4]?.split('.') ?? []
  const bad = prerelease.find((part) => /^0[0-9]+$/.test(part))
  if (bad !== undefined) return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(bad)}`
  return { numbers: [BigInt(match[1]!), BigInt(match[2]!), BigInt(match[3]!)], prerelease }
}

/** What is wrong with a version that does not have the shape, as the library of Go says it. */
function shapeProblem(text: string): string {
  const parts = text.split('.')
  const [major = '', minor = ''] = parts
  if (parts.length < 3) return 'No Major.Minor.Patch elements found'
  const patch = parts
    .slice(2)
    .join('.')
    .replace(/[-+].*$/, '')
  for (const [name, number] of [
    ['Major', major],
    ['Minor', minor],
    ['Patch', patch],
  ] as const) {
    if (!/^[0-9]+$/.test(number)) return `Invalid character(s) found in ${name.toLowerCase()} number ${JSON.stringify(number)}`
    if (number.length > 1 && number.startsWith('0')) return `${name} number must not contain leading zeroes ${JSON.stringify(number)}`
  }
  return `Invalid character(s) found in prerelease or build metadata of ${JSON.stringify(text)}`
}

/** Without `v`, with the missing numbers, without leading zeros. */
function normalize(text: string): string | undefined {
  const parts = text.replace(/^v/, '').split('.')
  const three = [...parts.slice(0, 2), ...(parts.length > 2 ? [parts.slice(2).join('.')] : [])].map((part) =>
    part.replace(/^0+(?=[0-9])/, ''),
  )
  if (three.length < 3 && /[+-]/.test(three.at(-1)!)) return undefined
  while (three.length < 3) three.push('0')
  return three.join('.')
}

function readAny(text: string, isNormalized: boolean): Version | string {
  if (!isNormalized) return read(text)
  const normal = normalize(text)
  return normal === undefined ? 'short version cannot contain PreRelease/Build meta data' : read(normal)
}

function parse(text: string, isNormalized = false): VersionValue {
  const version = readAny(text, isNormalized)
  if (typeof version === 'string') throw new EvaluationError(version)
  return new OpaqueValue(type, version, (one, other) => compare(one, other) === 0)
}

function compare(one: Version, other: Version): number {
  for (let at = 0; at < 3; at++) if (one.numbers[at] !== other.numbers[at]) return one.numbers[at]! < other.numbers[at]! ? -1 : 1
  if (one.prerelease.length === 0 || other.prerelease.length === 0)
    return Number(one.prerelease.length === 0) - Number(other.prerelease.length === 0)
  for (let at = 0; at < Math.max(one.prerelease.length, other.prerelease.length); at++) {
    const order = comparePart(one.prerelease[at], other.prerelease[at])
    if (order !== 0) return order
  }
  return 0
}

function comparePart(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0
  if (one === undefined || other === undefined) return one === undefined ? -1 : 1
  const isNumber = (part: string) => /^[0-9]+$/.test(part)
  if (isNumber(one) && isNumber(other)) return BigInt(one) < BigInt(other) ? -1 : 1
  if (isNumber(one) !== isNumber(other)) return isNumber(one) ? -1 : 1
  return one < other ? -1 : 1
}

const type = opaque('kubernetes.Semver')
const number = (at: 0 | 1 | 2) => [member([type], int, ({ content }: VersionValue) => content.numbers[at])]

export const semver: Functions = {
  semver: [global([string], type, (text: string) => parse(text), traverse), global([string, bool], type, parse, traverse)],
  isSemver: [
    global([string], bool, (text: string) => typeof readAny(text, false) !== 'string', traverse),
    global([string, bool], bool, (text: string, isNormalized: boolean) => typeof readAny(text, isNormalized) !== 'string', traverse),
  ],
  major: number(0),
  minor: number(1),
  patch: number(2),
  isGreaterThan: [member([type, type], bool, (one: VersionValue, other: VersionValue) => compare(one.content, other.content) > 0)],
  isLessThan: [member([type, type], bool, (one: VersionValue, other: VersionValue) => compare(one.content, other.content) < 0)],
  compareTo: [member([type, type], int, (one: VersionValue, other: VersionValue) => BigInt(compare(one.content, other.content)))],
}
