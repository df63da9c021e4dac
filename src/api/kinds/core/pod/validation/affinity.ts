// Kubernetes: pkg/apis/core/validation.validateAffinity, ValidateNodeSelector, ValidateNodeSelectorRequirement
// Kubernetes: pkg/apis/core/validation.ValidateNodeFieldSelectorRequirement, ValidateNodeSelectorTerm, validateNodeAffinity
// Kubernetes: pkg/apis/core/validation.validatePodAffinity, validatePodAntiAffinity, validatePodAffinityTerm
// Kubernetes: pkg/apis/core/validation.ValidatePreferredSchedulingTerms
import { type At, type FieldError, forbidden, invalid, required, typed } from '../../../../machinery/field-error.ts'
import { validateLabelSelector } from '../../../../machinery/validation/metadata.ts'
import { isDns1123Label, isDns1123Subdomain, isQualifiedName, isValidLabelValue } from '../../../../machinery/validation/names.ts'
import type { PodSpec } from '../../../../types.ts'
import type { PodValidationOptions } from './facts.ts'
import { addProblems } from './names.ts'
import { checkMatchLabelKeys } from './topology-spread.ts'

type Affinity = NonNullable<PodSpec['affinity']>
type NodeAffinity = NonNullable<Affinity['nodeAffinity']>
type NodeSelector = NonNullable<NodeAffinity['requiredDuringSchedulingIgnoredDuringExecution']>
type NodeSelectorTerm = NodeSelector['nodeSelectorTerms'][number]
type NodeRequirement = NonNullable<NodeSelectorTerm['matchExpressions']>[number]
type PodRules = NonNullable<Affinity['podAffinity']>
type PodAffinityTerm = NonNullable<PodRules['requiredDuringSchedulingIgnoredDuringExecution']>[number]

export function checkAffinity(errors: FieldError[], affinity: Affinity, at: At, options: PodValidationOptions): void {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity
  if (nodeAffinity)
    checkNodeAffinity(errors, nodeAffinity, () => `${at()}.nodeAffinity`, options.allowInvalidLabelValueInRequiredNodeAffinity === true)
  const allowInvalidValues = options.allowInvalidLabelValueInSelector === true
  if (podAffinity) checkPodRules(errors, podAffinity, () => `${at()}.podAffinity`, allowInvalidValues)
  if (podAntiAffinity) checkPodRules(errors, podAntiAffinity, () => `${at()}.podAntiAffinity`, allowInvalidValues)
}

function checkNodeAffinity(errors: FieldError[], affinity: NodeAffinity, at: At, allowInvalidValues: boolean): void {
  const selector = affinity.requiredDuringSchedulingIgnoredDuringExecution
  if (selector) checkNodeSelector(errors, selector, () => `${at()}.requiredDuringSchedulingIgnoredDuringExecution`, allowInvalidValues)
  for (const [index, { weight = 0, preference }] of (affinity.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    const here = () => `${at()}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`
    checkWeight(errors, weight, here)
    // Preferences may name values that no label can have: such a preference never matches.
    checkNodeSelectorTerm(errors, preference ?? {}, () => `${here()}.preference`, true)
  }
}

function checkWeight(errors: FieldError[], weight: number, at: At): void {
  if (weight <= 0 || weight > 100) errors.push(invalid(`${at()}.weight`, weight, 'must be in the range 1-100'))
}

/** Also used for the node affinity of persistent volumes. */
export function checkNodeSelector(errors: FieldError[], { nodeSelectorTerms }: NodeSelector, at: At, allowInvalidValues: boolean): void {
  if (!nodeSelectorTerms?.length) errors.push(required(`${at()}.nodeSelectorTerms`, 'must have at least one node selector term'))
  for (const [index, term] of (nodeSelectorTerms ?? []).entries())
    checkNodeSelectorTerm(errors, term, () => `${at()}.nodeSelectorTerms[${index}]`, allowInvalidValues)
}

function checkNodeSelectorTerm(errors: FieldError[], term: NodeSelectorTerm, at: At, allowInvalidValues: boolean): void {
  for (const [index, requirement] of (term.matchExpressions ?? []).entries())
    checkExpression(errors, requirement, () => `${at()}.matchExpressions[${index}]`, allowInvalidValues)
  for (const [index, requirement] of (term.matchFields ?? []).entries())
    checkFieldRequirement(errors, requirement, () => `${at()}.matchFields[${index}]`)
}

function checkExpression(errors: FieldError[], requirement: NodeRequirement, at: At, allowInvalidValues: boolean): void {
  const { key = '', operator = '', values = [] } = requirement
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) errors.push(required(`${at()}.values`, "must be specified when `operator` is 'In' or 'NotIn'"))
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) errors.push(forbidden(`${at()}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) errors.push(required(`${at()}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"))
  } else errors.push(invalid(`${at()}.operator`, typed(operator), 'not a valid selector operator'))
  addProblems(errors, isQualifiedName(key), key, () => `${at()}.key`)
  if (allowInvalidValues) return
  for (const [index, value] of values.entries()) addProblems(errors, isValidLabelValue(value), value, () => `${at()}.values[${index}]`)
}

function checkFieldRequirement(errors: FieldError[], { key = '', operator = '', values = [] }: NodeRequirement, at: At): void {
  if (operator !== 'In' && operator !== 'NotIn') errors.push(invalid(`${at()}.operator`, typed(operator), 'not a valid selector operator'))
  else if (values.length !== 1)
    errors.push(required(`${at()}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"))
  if (key !== 'metadata.name') errors.push(invalid(`${at()}.key`, key, 'not a valid field selector key'))
  else
    for (const [index, value] of values.entries()) addProblems(errors, isDns1123Subdomain(value), value, () => `${at()}.values[${index}]`)
}

function checkPodRules(errors: FieldError[], rules: PodRules, at: At, allowInvalidValues: boolean): void {
  for (const [index, term] of (rules.requiredDuringSchedulingIgnoredDuringExecution ?? []).entries())
    checkPodAffinityTerm(errors, term, () => `${at()}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`, allowInvalidValues)
  for (const [index, { weight = 0, podAffinityTerm }] of (rules.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    const here = () => `${at()}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`
    checkWeight(errors, weight, here)
    checkPodAffinityTerm(errors, podAffinityTerm ?? { topologyKey: '' }, () => `${here()}.podAffinityTerm`, allowInvalidValues)
  }
}

function checkPodAffinityTerm(errors: FieldError[], term: PodAffinityTerm, at: At, allowInvalidValues: boolean): void {
  const { labelSelector, namespaceSelector, namespaces, matchLabelKeys, mismatchLabelKeys, topologyKey = '' } = term
  if (labelSelector) errors.push(...validateLabelSelector(labelSelector, `${at()}.labelSelector`, { allowInvalidValues }))
  if (namespaceSelector) errors.push(...validateLabelSelector(namespaceSelector, `${at()}.namespaceSelector`, { allowInvalidValues }))
  for (const name of namespaces ?? []) addProblems(errors, isDns1123Label(name), name, () => `${at()}.namespace`)
  checkMatchLabelKeys(errors, matchLabelKeys, mismatchLabelKeys, labelSelector, at)
  if (topologyKey === '') errors.push(required(`${at()}.topologyKey`, 'can not be empty'))
  addProblems(errors, isQualifiedName(topologyKey), topologyKey, () => `${at()}.topologyKey`)
}
