// What validating and mutating webhooks have in common.
// Kubernetes: pkg/apis/admissionregistration/validation.ValidateValidatingWebhookConfiguration, ValidateMutatingWebhookConfiguration
// Kubernetes: pkg/apis/admissionregistration/validation.ValidateValidatingWebhookConfigurationUpdate
// Kubernetes: pkg/apis/admissionregistration/validation.ValidateMutatingWebhookConfigurationUpdate, validateValidatingWebhook
// Kubernetes: pkg/apis/admissionregistration/validation.validateMutatingWebhook, validateAdmissionReviewVersions
import { isEqualJson } from '../../../../base/json.ts'
import { duplicate, type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import { addUnsupported, enumOf } from '../../../machinery/validation/enums.ts'
import { hasInvalidSelectorValue, validateLabelSelector } from '../../../machinery/validation/metadata.ts'
import { isDns1035Label, isDns1123Subdomain, isValidPortNumber } from '../../../machinery/validation/names.ts'
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '../../../types.ts'
import { validateMatchConditions, validateRule } from './rule-validation.ts'

type Configuration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration
type Webhook = NonNullable<MutatingWebhookConfiguration['webhooks']>[number]

/** Rules that were added later do not apply to a stored object that already violates them. */
interface Options {
  readonly ignoreConditions: boolean
  readonly requireNoSideEffects: boolean
  readonly requireKnownVersion: boolean
  readonly requireUniqueNames: boolean
  readonly allowInvalidValues: boolean
}

const reviewVersions = ['v1', 'v1beta1']
const noSideEffects = ['None', 'NoneOnDryRun']

const webhooksOf = (configuration: Configuration) => (configuration.webhooks ?? []) as readonly Webhook[]

export function validateWebhooks(configuration: Configuration): FieldError[] {
  return validateAll(configuration, {
    ignoreConditions: false,
    requireNoSideEffects: true,
    requireKnownVersion: true,
    requireUniqueNames: true,
    allowInvalidValues: false,
  })
}

export function validateWebhooksUpdate(next: Configuration, current: Configuration): FieldError[] {
  const stored = webhooksOf(current)
  const names = stored.map(({ name }) => name)
  const conditions = (configuration: Configuration) => webhooksOf(configuration).map(({ matchConditions }) => matchConditions ?? [])
  return validateAll(next, {
    ignoreConditions: isEqualJson(conditions(next), conditions(current)),
    requireNoSideEffects: stored.every(({ sideEffects: declared }) => noSideEffects.includes(declared ?? '')),
    requireKnownVersion: stored.every(
      ({ admissionReviewVersions: versions }) => (versions ?? []).length === 0 || hasKnownVersion(versions),
    ),
    requireUniqueNames: new Set(names).size === names.length,
    allowInvalidValues: stored.some((one) => hasInvalidSelectorValue(one.namespaceSelector) || hasInvalidSelectorValue(one.objectSelector)),
  })
}

const hasKnownVersion = (versions: readonly string[]) => versions.some((version) => reviewVersions.includes(version))

function validateAll(configuration: Configuration, options: Options): FieldError[] {
  const names = new Set<string>()
  return webhooksOf(configuration).flatMap((webhook, index) => {
    const path = `webhooks[${index}]`
    const { name = '' } = webhook
    const errors = validateWebhook(webhook, options, path)
    errors.push(...validateVersions(webhook.admissionReviewVersions ?? [], options, `${path}.admissionReviewVersions`))
    if (options.requireUniqueNames && name !== '' && names.has(name)) errors.push(duplicate(`${path}.name`, name))
    names.add(name)
    return errors
  })
}

function validateWebhook(webhook: Webhook, options: Options, path: string): FieldError[] {
  const errors = validateName(webhook.name ?? '', `${path}.name`)
  for (const [index, rule] of (webhook.rules ?? []).entries()) errors.push(...validateRule(rule, `${path}.rules[${index}]`))
  const addChoiceErrors = (field: 'failurePolicy' | 'matchPolicy' | 'reinvocationPolicy') =>
    addUnsupported(errors, webhook[field], `admissionregistration.MutatingWebhook.${field}`, `${path}.${field}`)
  addChoiceErrors('failurePolicy')
  addChoiceErrors('matchPolicy')
  const allowed = options.requireNoSideEffects ? noSideEffects : enumOf('admissionregistration.MutatingWebhook.sideEffects')
  if (webhook.sideEffects === undefined || webhook.sideEffects === null)
    errors.push(required(`${path}.sideEffects`, `must specify one of ${allowed.join(', ')}`))
  addUnsupported(errors, webhook.sideEffects, allowed, `${path}.sideEffects`)
  const timeout = webhook.timeoutSeconds
  if (timeout !== undefined && (timeout > 30 || timeout < 1))
    errors.push(invalid(`${path}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds'))
  for (const field of ['namespaceSelector', 'objectSelector'] as const)
    errors.push(...validateLabelSelector(webhook[field], `${path}.${field}`, options))
  addChoiceErrors('reinvocationPolicy')
  errors.push(...validateClientConfig(webhook.clientConfig, `${path}.clientConfig`))
  if (!options.ignoreConditions) errors.push(...validateMatchConditions(webhook.matchConditions, `${path}.matchConditions`))
  return errors
}

function validateName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path, '')]
  const messages = isDns1123Subdomain(name)
  if (messages.length > 0) return [invalid(path, name, messages.join(','))]
  return name.split('.').length < 3 ? [invalid(path, name, 'should be a domain with at least three segments separated by dots')] : []
}

function validateVersions(versions: readonly string[], options: Options, path: string): FieldError[] {
  if (versions.length === 0) return [required(path, `must specify one of ${reviewVersions.join(', ')}`)]
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [index, version] of versions.entries()) {
    if (seen.has(version)) errors.push(invalid(`${path}[${index}]`, version, 'duplicate version'))
    else for (const message of isDns1035Label(version)) errors.push(invalid(`${path}[${index}]`, version, message))
    seen.add(version)
  }
  if (options.requireKnownVersion && !hasKnownVersion(versions))
    errors.push(invalid(path, versions, `must include at least one of ${reviewVersions.join(', ')}`))
  return errors
}

// Validation of the address of a webhook.
// Kubernetes: k8s.io/apiserver/pkg/util/webhook.ValidateWebhookURL, ValidateWebhookService
type ClientConfig = NonNullable<ValidatingWebhookConfiguration['webhooks']>[number]['clientConfig']
type ServiceReference = NonNullable<ClientConfig['service']>

function validateClientConfig(config: ClientConfig | undefined, path: string): FieldError[] {
  const { url, service } = config ?? {}
  if (url !== undefined && service === undefined) return validateUrl(url, `${path}.url`)
  if (url === undefined && service !== undefined) return validateService(service, `${path}.service`)
  return [required(path, 'exactly one of url or service is required')]
}

const form = '; desired format: https://host[/path]'

function validateUrl(text: string, path: string): FieldError[] {
  const [, scheme = '', rest = text] = /^([a-zA-Z][a-zA-Z0-9+.-]*):(.*)$/s.exec(text) ?? []
  const [, authority = '', tail = ''] = /^\/\/([^/?#]*)(.*)$/s.exec(rest) ?? []
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1)
  const hash = tail.indexOf('#')
  const beforeHash = hash < 0 ? tail : tail.slice(0, hash)
  const question = beforeHash.indexOf('?')
  const errors: FieldError[] = []
  if (scheme !== 'https') errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${form}`))
  if (host === '') errors.push(invalid(path, host, `host must be specified${form}`))
  if (at >= 0) errors.push(invalid(path, authority.slice(0, at), 'user information is not permitted in the URL'))
  if (hash >= 0 && hash < tail.length - 1) errors.push(invalid(path, tail.slice(hash + 1), 'fragments are not permitted in the URL'))
  if (question >= 0 && question < beforeHash.length - 1)
    errors.push(invalid(path, beforeHash.slice(question + 1), 'query parameters are not permitted in the URL'))
  return errors
}

function validateService({ name, namespace, path: urlPath = '', port }: ServiceReference, path: string): FieldError[] {
  const errors: FieldError[] = []
  // Kubernetes passes the two in the wrong order, and therefore names the other field.
  if (!namespace) errors.push(required(`${path}.name`, ''))
  if (!name) errors.push(required(`${path}.namespace`, ''))
  const problems = isValidPortNumber(port ?? 0)
  if (problems.length > 0) errors.push(invalid(`${path}.port`, port ?? 0, `port is not valid: ${problems.join(', ')}`))
  if (urlPath === '' || urlPath === '/') return errors
  const at = `${path}.path`
  if (urlPath === '//') return [...errors, invalid(at, urlPath, 'segment[0] may not be empty')]
  if (!urlPath.startsWith('/')) errors.push(invalid(at, urlPath, "must start with a '/'"))
  for (const [index, segment] of urlPath.slice(1).replace(/\/$/, '').split('/').entries())
    if (segment === '') errors.push(invalid(at, urlPath, `segment[${index}] may not be empty`))
    else for (const message of isDns1123Subdomain(segment)) errors.push(invalid(at, urlPath, `segment[${index}]: ${message}`))
  return errors
}
