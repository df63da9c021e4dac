// Kubernetes: pkg/apis/flowcontrol/validation.ValidateFlowSchema, ValidateFlowSchemaSpec, ValidateFlowSchemaPolicyRulesWithSubjects
// Kubernetes: pkg/apis/flowcontrol/validation.ValidateFlowSchemaResourcePolicyRule, ValidateNonResourceURLPath
import { type FieldError, forbidden, invalid, notSupported, required, typed } from '../../../machinery/field-error.ts'
import { isDns1123Label, isDns1123Subdomain } from '../../../machinery/validation/names.ts'
import type { FlowSchema } from '../../../types.ts'

type Rule = NonNullable<NonNullable<FlowSchema['spec']>['rules']>[number]
type Subject = NonNullable<Rule['subjects']>[number]

const maxPrecedence = 10_000
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch']

export function validateFlowSchema({ metadata, spec }: FlowSchema): FieldError[] {
  const errors: FieldError[] = []
  const precedence = spec?.matchingPrecedence ?? 0
  const at = 'spec.matchingPrecedence'
  if (precedence <= 0) errors.push(invalid(at, precedence, 'must be a positive value'))
  if (precedence > maxPrecedence) errors.push(invalid(at, precedence, `must not be greater than ${maxPrecedence}`))
  if (precedence === 1 && metadata?.name !== 'exempt')
    errors.push(invalid(at, precedence, "only the schema named 'exempt' may have matchingPrecedence 1"))
  const method = spec?.distinguisherMethod
  const methods = ['ByNamespace', 'ByUser']
  if (method !== undefined && !methods.includes(method.type ?? ''))
    errors.push(notSupported('spec.distinguisherMethod.type', { Type: method.type ?? '' }, methods))
  const level = spec?.priorityLevelConfiguration?.name ?? ''
  const levelPath = 'spec.priorityLevelConfiguration.name'
  if (level === '') errors.push(required(levelPath, 'must reference a priority level'))
  else for (const message of isDns1123Subdomain(level)) errors.push(invalid(levelPath, level, message))
  for (const [index, rule] of (spec?.rules ?? []).entries()) addRuleErrors(errors, rule, `spec.rules[${index}]`)
  return errors
}

function addRuleErrors(errors: FieldError[], rule: Rule, path: string): void {
  // Kubernetes writes null for lists that are absent.
  const [subjects, resourceRules, nonResourceRules] = [rule.subjects ?? [], rule.resourceRules ?? [], rule.nonResourceRules ?? []]
  for (const [index, subject] of subjects.entries()) addSubjectErrors(errors, subject, `${path}.subjects[${index}]`)
  if (subjects.length === 0) errors.push(required(`${path}.subjects`, 'subjects must contain at least one value'))
  if (resourceRules.length === 0 && nonResourceRules.length === 0)
    errors.push(required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'))
  for (const [index, one] of resourceRules.entries()) {
    const at = `${path}.resourceRules[${index}]`
    addVerbErrors(errors, one.verbs ?? [], `${at}.verbs`)
    addListErrors(errors, one.apiGroups ?? [], `${at}.apiGroups`, 'resource rules must supply at least one api group', 'api groups')
    addListErrors(errors, one.resources ?? [], `${at}.resources`, 'resource rules must supply at least one resource', 'resources')
    const namespaces = one.namespaces ?? []
    const missing = 'resource rules that are not cluster scoped must supply at least one namespace'
    if (namespaces.length > 0 || !one.clusterScope) addListErrors(errors, namespaces, `${at}.namespaces`, missing, 'namespaces')
    if (!namespaces.includes('*'))
      for (const [position, namespace] of namespaces.entries())
        for (const message of isDns1123Label(namespace))
          errors.push(
            invalid(`${at}.namespaces[${position}]`, namespace, `each member of this list must be '*' or a DNS-1123 label; ${message}`),
          )
  }
  for (const [index, one] of nonResourceRules.entries()) {
    const at = `${path}.nonResourceRules[${index}]`
    const urls = one.nonResourceURLs ?? []
    addVerbErrors(errors, one.verbs ?? [], `${at}.verbs`)
    addListErrors(errors, urls, `${at}.nonResourceURLs`, 'nonResourceURLs must contain at least one value', 'non-resource URLs')
    if (!urls.includes('*')) for (const [position, url] of urls.entries()) addUrlErrors(errors, url, `${at}.nonResourceURLs[${position}]`)
  }
}

function addListErrors(errors: FieldError[], list: readonly string[], path: string, missing: string, what: string): void {
  if (list.length === 0) errors.push(required(path, missing))
  else if (list.length > 1 && list.includes('*')) errors.push(invalid(path, list, `if '*' is present, must not specify other ${what}`))
}

function addVerbErrors(errors: FieldError[], asked: readonly string[], path: string): void {
  addListErrors(errors, asked, path, 'verbs must contain at least one value', 'verbs')
  if (asked.length > 0 && !asked.includes('*') && !asked.every((verb) => verbs.includes(verb)))
    errors.push(notSupported(path, asked, verbs))
}

function addUrlErrors(errors: FieldError[], url: string, path: string): void {
  if (url === '') errors.push(invalid(path, url, 'must not be empty'))
  else if (url === '/') return
  else if (!url.startsWith('/')) errors.push(invalid(path, url, 'must start with slash'))
  else if (url.includes(' ')) errors.push(invalid(path, url, 'must not contain white-space'))
  else if (url.includes('//')) errors.push(invalid(path, url, 'must not contain double slash'))
  else if (/\*./.test(url) || /[^/]\*$/.test(url)) errors.push(invalid(path, url, 'wildcard can only do suffix matching'))
}

const subjectFields = { User: 'user', Group: 'group', ServiceAccount: 'serviceAccount' } as const

function addSubjectErrors(errors: FieldError[], subject: Subject, path: string): void {
  const kind = subject.kind ?? ''
  if (!(kind in subjectFields)) {
    errors.push(notSupported(`${path}.kind`, typed(kind), ['Group', 'ServiceAccount', 'User']))
    return
  }
  const field = subjectFields[kind as keyof typeof subjectFields]
  const named = subject[field]
  const at = `${path}.${field}`
  if (named === undefined) errors.push(required(at, `${field} is required when subject kind is '${kind}'`))
  else if (!named.name) errors.push(required(`${at}.name`, ''))
  else if (field === 'serviceAccount' && named.name !== '*')
    for (const message of isDns1123Subdomain(named.name)) errors.push(invalid(`${at}.name`, named.name, message))
  if (field === 'serviceAccount' && named !== undefined) {
    const { namespace = '' } = subject.serviceAccount!
    if (namespace === '') errors.push(required(`${at}.namespace`, 'must specify namespace for service account'))
    else for (const message of isDns1123Label(namespace)) errors.push(invalid(`${at}.namespace`, namespace, message))
  }
  for (const [other, name] of Object.entries(subjectFields))
    if (name !== field && subject[name] !== undefined)
      errors.push(forbidden(`${path}.${name}`, `${name} is forbidden when subject kind is not '${other}'`))
}
