// Which checks make up a level in a version, and what they say about a pod.
// Kubernetes: k8s.io/pod-security-admission/policy.checkRegistry.EvaluatePod, populate, inflateVersions, AggregateCheckResults
// Kubernetes: k8s.io/pod-security-admission/policy.DefaultChecks
import type { ObjectMeta } from '../../../api/types.ts'
import { baselineChecks } from './baseline-checks.ts'
import type { Check, PodSpec, Violation } from './check.ts'
import type { LevelVersion } from './policy.ts'
import { restrictedChecks } from './restricted-checks.ts'

/** The version since which no check has changed. */
const newest = Math.max(...[...baselineChecks, ...restrictedChecks].flatMap(({ versions }) => versions.map(({ from }) => from)))

type CheckVersion = Check['versions'][number]

const versionOf = ({ versions }: Check, minor: number): CheckVersion | undefined => versions.findLast(({ from }) => from <= minor)

const known = new Map<string, readonly CheckVersion[]>()

function checksOf({ level, minor: wanted }: LevelVersion): readonly CheckVersion[] {
  const minor = Math.min(wanted, newest)
  const key = `${level} ${minor}`
  let checks = known.get(key)
  if (checks === undefined) {
    const restricted = level === 'restricted' ? restrictedChecks.flatMap((one) => versionOf(one, minor) ?? []) : []
    const overridden = new Set(restricted.map(({ overrides }) => overrides))
    const baseline = baselineChecks.filter(({ id }) => !overridden.has(id)).flatMap((one) => versionOf(one, minor) ?? [])
    checks = level === 'privileged' ? [] : [...baseline, ...restricted]
    known.set(key, checks)
  }
  return checks
}

export function violationsOf(policy: LevelVersion, spec: PodSpec, metadata: ObjectMeta): readonly Violation[] {
  return checksOf(policy).flatMap(({ check }) => check(spec, metadata) ?? [])
}

/** The reasons with their details, for messages about one pod. */
export const detailText = (violations: readonly Violation[]) => violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')

/** The reasons alone, for messages about many pods. */
export const reasonText = (violations: readonly Violation[]) => violations.map(({ reason }) => reason).join(', ')
