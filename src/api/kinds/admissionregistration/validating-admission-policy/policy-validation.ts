// Validation that validating and mutating policies and bindings share. Their expressions are compiled elsewhere.
// Kubernetes: pkg/apis/admissionregistration/validation.validateParamKind, validateMatchResources, validateNamedRuleWithOperations
// Kubernetes: pkg/apis/admissionregistration/validation.validateVariable, validateParamRef
import { duplicate, type FieldError, forbidden, invalid, required } from '../../../machinery/field-error.ts'
import type { admissionregistration } from '../../../machinery/generated/models.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { validateLabelSelector } from '../../../machinery/validation/metadata.ts'
import { isDns1035Label, isDns1123Subdomain, isPathSegmentName } from '../../../machinery/validation/names.ts'
import { validateMatchConditions, validateRule } from '../validating-webhook-configuration/rule-validation.ts'

type MatchResources = admissionregistration.MatchResources
type PolicySpec = Partial<
  Pick<
    admissionregistration.ValidatingAdmissionPolicySpec,
    'failurePolicy' | 'paramKind' | 'matchConstraints' | 'matchConditions' | 'variables'
  >
>
type BindingSpec = Partial<admissionregistration.MutatingAdmissionPolicyBindingSpec>

/** The fields that both kinds of policies have: parameters, match constraints and conditions, variables. */
export function validatePolicy(spec: PolicySpec): FieldError[] {
  const errors: FieldError[] = []
  if (spec.failurePolicy === undefined) errors.push(required('spec.failurePolicy', ''))
  else addUnsupported(errors, spec.failurePolicy, 'admissionregistration.ValidatingAdmissionPolicySpec.failurePolicy', 'spec.failurePolicy')
  if (spec.paramKind !== undefined) addParamKindErrors(errors, spec.paramKind, 'spec.paramKind')
  if (spec.matchConstraints === undefined) errors.push(required('spec.matchConstraints', ''))
  else {
    addMatchErrors(errors, spec.matchConstraints, 'spec.matchConstraints')
    if (!spec.matchConstraints.resourceRules?.length) errors.push(required('spec.matchConstraints.resourceRules', ''))
  }
  errors.push(...validateMatchConditions(spec.matchConditions, 'spec.matchConditions'))
  for (const [index, { name = '', expression = '' }] of (spec.variables ?? []).entries()) {
    const path = `spec.variables[${index}]`
    if (name.trim() === '') errors.push(required(`${path}.name`, 'name is not specified'))
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || reserved.has(name))
      errors.push(invalid(`${path}.name`, name, 'must be a valid CEL identifier'))
    if (expression.trim() === '') errors.push(required(`${path}.expression`, 'expression is not specified'))
  }
  return errors
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
)

function addParamKindErrors(
  errors: FieldError[],
  { apiVersion = '', kind = '' }: NonNullable<PolicySpec['paramKind']>,
  path: string,
): void {
  const parts = apiVersion.split('/')
  const [group, version] = parts.length === 1 ? ['', parts[0]!] : [parts[0]!, parts[1]!]
  const at = `${path}.apiVersion`
  if (apiVersion === '') errors.push(required(at, ''))
  else if (parts.length > 2) errors.push(invalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`))
  else {
    const ofGroup = group === '' ? [] : isDns1123Subdomain(group)
    if (ofGroup.length > 0) errors.push(invalid(at, group, ofGroup.join(',')))
    const ofVersion = isDns1035Label(version)
    if (version === '') errors.push(invalid(at, apiVersion, 'version must be specified'))
    else if (ofVersion.length > 0) errors.push(invalid(at, version, ofVersion.join(',')))
  }
  const ofKind = isDns1035Label(kind.toLowerCase())
  if (kind === '') errors.push(required(`${path}.kind`, ''))
  else if (ofKind.length > 0)
    errors.push(invalid(`${path}.kind`, kind, `may have mixed case, but should otherwise match: ${ofKind.join(',')}`))
}

function addMatchErrors(errors: FieldError[], match: MatchResources, path: string): void {
  if (match.matchPolicy === undefined) errors.push(required(`${path}.matchPolicy`, ''))
  else addUnsupported(errors, match.matchPolicy, 'admissionregistration.MatchResources.matchPolicy', `${path}.matchPolicy`)
  for (const field of ['namespaceSelector', 'objectSelector'] as const) {
    if (match[field] === undefined) errors.push(required(`${path}.${field}`, ''))
    else errors.push(...validateLabelSelector(match[field], `${path}.${field}`))
  }
  for (const field of ['resourceRules', 'excludeResourceRules'] as const)
    for (const [index, rule] of (match[field] ?? []).entries()) {
      const at = `${path}.${field}[${index}]`
      const names = new Set<string>()
      for (const [position, name] of (rule.resourceNames ?? []).entries()) {
        for (const message of isPathSegmentName(name)) errors.push(invalid(`${at}.resourceNames[${position}]`, name, message))
        if (names.has(name)) errors.push(duplicate(`${at}.resourceNames[${position}]`, name))
        names.add(name)
      }
      errors.push(...validateRule(rule, at))
    }
}

/** A mutating policy cannot match DELETE: there is no object to change. */
export function addMutatedOperations(errors: FieldError[], match: MatchResources | undefined, path: string): void {
  for (const { operations = [] } of match?.resourceRules ?? [])
    for (const operation of operations)
      addUnsupported(errors, operation, ['*', 'CONNECT', 'CREATE', 'UPDATE'], `${path}.resourceRules.operations`)
}

export function validateBinding({ policyName = '', paramRef, matchResources }: BindingSpec): FieldError[] {
  const errors: FieldError[] = []
  if (policyName === '') errors.push(required('spec.policyName', ''))
  else for (const message of isDns1123Subdomain(policyName)) errors.push(invalid('spec.policyName', policyName, message))
  if (paramRef !== undefined) addParamRefErrors(errors, paramRef, 'spec.paramRef')
  if (matchResources !== undefined) addMatchErrors(errors, matchResources, 'spec.matchResources')
  return errors
}

function addParamRefErrors(errors: FieldError[], paramRef: NonNullable<BindingSpec['paramRef']>, path: string): void {
  const { name = '', selector, parameterNotFoundAction: action = '' } = paramRef
  const both = 'name and selector are mutually exclusive'
  if (name !== '') {
    for (const message of isPathSegmentName(name)) errors.push(invalid(`${path}.name`, name, message))
    if (selector !== undefined) errors.push(forbidden(`${path}.name`, both))
  }
  if (selector !== undefined) {
    errors.push(...validateLabelSelector(selector, `${path}.selector`))
    if (name !== '') errors.push(forbidden(`${path}.selector`, both))
  }
  if (name === '' && selector === undefined) errors.push(required(path, 'one of name or selector must be specified'))
  if (action === '') errors.push(required(`${path}.parameterNotFoundAction`, ''))
  else addUnsupported(errors, action, ['Deny', 'Allow'], `${path}.parameterNotFoundAction`)
}
