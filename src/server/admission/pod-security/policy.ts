// The labels of a namespace that say which pods it admits.
// Kubernetes: k8s.io/pod-security-admission/api.PolicyToEvaluate, ParseLevel, ParseVersion, CompareLevels
import { type FieldError, invalid } from '../../../api/machinery/field-error.ts'

/** From the least to the most restrictive. */
export const levels = ['privileged', 'baseline', 'restricted'] as const
export type Level = (typeof levels)[number]

export const modes = ['enforce', 'audit', 'warn'] as const
type Mode = (typeof modes)[number]

/** A level as it was in the minor version; `Infinity` is the latest. */
export interface LevelVersion {
  readonly level: Level
  readonly minor: number
}

export type Policy = Readonly<Record<Mode, LevelVersion>>

type Labels = Readonly<Record<string, string>>

export const levelLabel = (mode: Mode) => `pod-security.kubernetes.io/${mode}`
export const versionLabel = (mode: Mode) => `pod-security.kubernetes.io/${mode}-version`

const isLevel = (text: string): text is Level => (levels as readonly string[]).includes(text)

/** The message about an invalid level, or undefined. */
export const levelProblem = (text: string): string | undefined => (isLevel(text) ? undefined : `must be one of ${levels.join(', ')}`)

/** The message about an invalid version, or undefined. */
export const versionProblem = (text: string): string | undefined =>
  parseVersion(text) === undefined ? 'must be "latest" or "v1.x"' : undefined

const maxInt64 = 2n ** 63n - 1n

export function parseVersion(text: string): number | undefined {
  if (text === 'latest') return Number.POSITIVE_INFINITY
  const [, minor] = /^v1\.(0|[1-9][0-9]*)$/.exec(text) ?? []
  return minor === undefined || BigInt(minor) > maxInt64 ? undefined : Number(minor)
}

export const showPolicy = ({ level, minor }: LevelVersion) => `${level}:${minor === Number.POSITIVE_INFINITY ? 'latest' : `v1.${minor}`}`

export const isSamePolicy = (one: LevelVersion, other: LevelVersion) => one.level === other.level && one.minor === other.minor

/** Positive where the first level is more restrictive. */
export const compareLevels = (one: Level, other: Level) => levels.indexOf(one) - levels.indexOf(other)

export const isPrivileged = (policy: Policy) => modes.every((mode) => policy[mode].level === 'privileged')

/** Whether nothing depends on which of the two applies. */
export const isEquivalent = (one: Policy, other: Policy) =>
  modes.every((mode) => isSamePolicy(one[mode], other[mode]) || (one[mode].level === 'privileged' && other[mode].level === 'privileged'))

/**
 * The policy of a namespace with the labels, and what is wrong with them. An invalid level to enforce counts as restricted, another
 * invalid level as privileged, and an invalid version as the latest.
 */
export function readPolicy(labels: Labels, defaults: Policy): { readonly policy: Policy; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = []
  const policy = { ...defaults }
  for (const mode of modes) {
    const level = labels[levelLabel(mode)]
    const version = labels[versionLabel(mode)]
    if (level !== undefined) {
      note(errors, levelLabel(mode), level, levelProblem(level))
      policy[mode] = { ...policy[mode], level: isLevel(level) ? level : mode === 'enforce' ? 'restricted' : 'privileged' }
    }
    if (version !== undefined) {
      note(errors, versionLabel(mode), version, versionProblem(version))
      policy[mode] = { ...policy[mode], minor: parseVersion(version) ?? Number.POSITIVE_INFINITY }
    }
  }
  // A namespace that says only what it enforces also warns about it.
  const enforced = labels[levelLabel('enforce')]
  const warns = labels[levelLabel('warn')] !== undefined
  if (!warns && enforced !== undefined && isLevel(enforced) && compareLevels(enforced, policy.warn.level) > 0)
    policy.warn = { level: enforced, minor: labels[versionLabel('warn')] === undefined ? policy.enforce.minor : policy.warn.minor }
  return { policy, errors }
}

function note(errors: FieldError[], label: string, value: string, problem: string | undefined): void {
  if (problem !== undefined) errors.push(invalid(`metadata.labels[${label}]`, value, problem))
}
