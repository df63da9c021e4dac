// Kubernetes: pkg/apis/core/validation.validateTopologySpreadConstraints, ValidateMatchLabelKeysInTopologySpread
// Kubernetes: pkg/apis/core/validation.ValidateMatchLabelKeysAndMismatchLabelKeys, validateLabelKeys
import { type At, duplicate, type FieldError, forbidden, invalid, required } from '../../../../machinery/field-error.ts'
import { addUnsupported } from '../../../../machinery/validation/enums.ts'
import { validateLabelSelector } from '../../../../machinery/validation/metadata.ts'
import { isQualifiedName } from '../../../../machinery/validation/names.ts'
import type { LabelSelector, PodSpec } from '../../../../types.ts'
import type { PodValidationOptions } from './facts.ts'
import { addProblems, isGiven } from './names.ts'

type Constraint = NonNullable<PodSpec['topologySpreadConstraints']>[number]

export function checkTopologySpread(errors: FieldError[], constraints: readonly Constraint[], at: At, options: PodValidationOptions): void {
  const pairs = constraints.map(({ topologyKey = '', whenUnsatisfiable = '' }) => `{${topologyKey}, ${whenUnsatisfiable}}`)
  const lastOf = new Map(pairs.map((pair, index) => [pair, index]))
  for (const [index, constraint] of constraints.entries()) {
    const { maxSkew = 0, topologyKey, whenUnsatisfiable = '', minDomains, labelSelector, matchLabelKeys } = constraint
    const here = () => `${at()}[${index}]`
    if (maxSkew <= 0) errors.push(invalid(`${here()}.maxSkew`, maxSkew, 'must be greater than zero'))
    if (!topologyKey) errors.push(required(`${here()}.topologyKey`, 'can not be empty'))
    addUnsupported(errors, whenUnsatisfiable, 'core.TopologySpreadConstraint.whenUnsatisfiable', () => `${here()}.whenUnsatisfiable`)
    // All but the last of equal pairs are reported.
    if (lastOf.get(pairs[index]!) !== index) errors.push(duplicate(`${here()}.{topologyKey, whenUnsatisfiable}`, pairs[index]))
    if (isGiven(minDomains)) {
      if (minDomains <= 0) errors.push(invalid(`${here()}.minDomains`, minDomains, 'must be greater than zero'))
      if (whenUnsatisfiable !== 'DoNotSchedule')
        errors.push(
          invalid(
            `${here()}.minDomains`,
            minDomains,
            `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`,
          ),
        )
    }
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const)
      addUnsupported(errors, constraint[field], `core.TopologySpreadConstraint.${field}`, () => `${here()}.${field}`)
    if (options.oldPodViolatesMatchLabelKeys === true)
      checkOldMatchLabelKeys(errors, matchLabelKeys, labelSelector, () => `${here()}.matchLabelKeys`)
    else checkMatchLabelKeys(errors, matchLabelKeys, undefined, labelSelector, here)
    if (labelSelector && options.allowInvalidTopologySpreadLabelSelector !== true)
      errors.push(...validateLabelSelector(labelSelector, `${here()}.labelSelector`))
  }
}

type Keys = readonly string[] | undefined

/** Returns the number of errors that it added. */
export function checkMatchLabelKeys(
  errors: FieldError[],
  matchLabelKeys: Keys,
  mismatchLabelKeys: Keys,
  selector: LabelSelector | undefined,
  at: At,
): number {
  if (!matchLabelKeys?.length && !mismatchLabelKeys?.length) return 0
  const before = errors.length
  checkKeys(errors, matchLabelKeys, selector, () => `${at()}.matchLabelKeys`)
  checkKeys(errors, mismatchLabelKeys, selector, () => `${at()}.mismatchLabelKeys`)
  if (selector && matchLabelKeys?.length) {
    // The keys were already merged into the selector: one that is there twice was also given by the user.
    const indexOf = new Map(matchLabelKeys.map((key, index) => [key, index]))
    const seen = new Set(Object.keys(selector.matchLabels ?? {}))
    for (const { key = '' } of selector.matchExpressions ?? []) {
      const index = indexOf.get(key)
      if (index !== undefined && seen.has(key))
        errors.push(invalid(`${at()}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector'))
      seen.add(key)
    }
  }
  const mismatched = new Set(mismatchLabelKeys)
  for (const [index, key] of (matchLabelKeys ?? []).entries())
    if (mismatched.has(key))
      errors.push(invalid(`${at()}.matchLabelKeys[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys'))
  return errors.length - before
}

function checkKeys(errors: FieldError[], keys: Keys, selector: LabelSelector | undefined, at: At): void {
  if (!keys?.length) return
  if (!selector) errors.push(forbidden(at(), 'must not be specified when labelSelector is not set'))
  else for (const [index, key] of keys.entries()) addProblems(errors, isQualifiedName(key), key, () => `${at()}[${index}]`)
}

function checkOldMatchLabelKeys(errors: FieldError[], keys: Keys, selector: LabelSelector | undefined, at: At): void {
  if (!keys?.length) return
  if (!selector) errors.push(forbidden(at(), 'must not be specified when labelSelector is not set'))
  const selected = new Set(Object.keys(selector?.matchLabels ?? {}))
  for (const { key = '' } of selector?.matchExpressions ?? []) selected.add(key)
  for (const [index, key] of keys.entries()) {
    addProblems(errors, isQualifiedName(key), key, () => `${at()}[${index}]`)
    if (selected.has(key)) errors.push(invalid(`${at()}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector'))
  }
}
