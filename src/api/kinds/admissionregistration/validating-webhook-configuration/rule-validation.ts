// The rules of webhooks and policies: which operations on which resources they apply to.
// Kubernetes: pkg/apis/admissionregistration/validation.validateRuleWithOperations, validateRule, validateResources
import { duplicate, type FieldError, invalid, required, tooMany } from '../../../machinery/field-error.ts'
import type { admissionregistration } from '../../../machinery/generated/models.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { isQualifiedName } from '../../../machinery/validation/names.ts'
import type { ValidatingWebhookConfiguration } from '../../../types.ts'

type Rule = NonNullable<NonNullable<ValidatingWebhookConfiguration['webhooks']>[number]['rules']>[number]

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']

export function validateRule(rule: Rule, path: string): FieldError[] {
  const errors: FieldError[] = []
  const addListErrors = (field: 'operations' | 'apiGroups' | 'apiVersions', name: string) => {
    const list = rule[field] ?? []
    if (list.length === 0) errors.push(required(`${path}.${field}`, ''))
    if (list.length > 1 && list.includes('*'))
      errors.push(invalid(`${path}.${field}`, list, `if '*' is present, must not specify other ${name}`))
    return list
  }
  for (const [index, operation] of addListErrors('operations', 'operations').entries())
    addUnsupported(errors, operation, operations, `${path}.operations[${index}]`)
  addListErrors('apiGroups', 'API groups')
  for (const [index, version] of addListErrors('apiVersions', 'API versions').entries())
    if (version === '') errors.push(required(`${path}.apiVersions[${index}]`, ''))
  addResourceErrors(errors, rule.resources ?? [], `${path}.resources`)
  addUnsupported(errors, rule.scope, 'admissionregistration.RuleWithOperations.scope', `${path}.scope`)
  return errors
}

/** `pods`, `pods/status`, `pods/*`, `*`, and the same for all resources: no entry may be covered by another. */
function addResourceErrors(errors: FieldError[], resources: readonly string[], path: string): void {
  if (resources.length === 0) errors.push(required(path, ''))
  const withAllSubresources = new Set<string>()
  const ofAllResources = new Set<string>()
  let hasPlain = false
  for (const [index, resource] of resources.entries()) {
    const at = `${path}[${index}]`
    if (resource === '') {
      errors.push(required(at, ''))
      continue
    }
    const slash = resource.indexOf('/')
    if (slash < 0) {
      hasPlain = resource !== '*'
      continue
    }
    const name = resource.slice(0, slash)
    const subresource = resource.slice(slash + 1)
    if (withAllSubresources.has(name)) errors.push(invalid(at, resource, `if '${name}/*' is present, must not specify ${resource}`))
    if (ofAllResources.has(subresource))
      errors.push(invalid(at, resource, `if '*/${subresource}' is present, must not specify ${resource}`))
    if (subresource === '*') withAllSubresources.add(name)
    if (name === '*') ofAllResources.add(subresource)
  }
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"))
  if (resources.includes('*') && hasPlain)
    errors.push(invalid(path, resources, "if '*' is present, must not specify other resources without subresources"))
}

// Kubernetes: pkg/apis/admissionregistration/validation.validateMatchConditions, validateMatchCondition
const maxConditions = 64

/** The form of match conditions. Whether an expression can be compiled is not checked here. */
export function validateMatchConditions(
  conditions: readonly admissionregistration.MatchCondition[] | undefined,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  const all = conditions ?? []
  if (all.length > maxConditions) errors.push(tooMany(path, all.length, maxConditions))
  const names = new Set<string>()
  for (const [index, { name = '', expression = '' }] of all.entries()) {
    const at = `${path}[${index}]`
    if (expression.trim() === '') errors.push(required(`${at}.expression`, ''))
    if (name === '') errors.push(required(`${at}.name`, ''))
    else for (const message of isQualifiedName(name)) errors.push(invalid(`${at}.name`, name, message))
    if (name !== '' && names.has(name)) errors.push(duplicate(`${at}.name`, name))
    names.add(name)
  }
  return errors
}
