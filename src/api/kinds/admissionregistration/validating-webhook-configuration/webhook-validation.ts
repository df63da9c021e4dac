// What validating and mutating webhooks have in common.
// Kubernetes: pkg/apis/admissionregistration/validation.ValidateValidatingWebhookConfiguration, ValidateMutatingWebhookConfiguration
// Kubernetes: pkg/apis/admissionregistration/validation.ValidateValidatingWebhookConfigurationUpdate
// Kubernetes: pkg/apis/admissionregistration/validation.ValidateMutatingWebhookConfigurationUpdate, validateValidatingWebhook
// Kubernetes: pkg/apis/admissionregistration/validation.validateMutatingWebhook, validateAdmissionReviewVersions
import { isEqualJson } from '../../../../base/json.ts'
import { duplicate, type FieldError, invalid, required } from '../../../machinery/field-error.ts'
import { addUnsupported, enumOf } from '../../../machinery/validation/enums.ts'
import { hasInvalidSelectorValue, validateLabelSelector } from '../../../machinery/validation/metadata.ts'
import { isDns1035Label, isDns1123Subdomain } from '../../../machinery/validation/names.ts'
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '../../../types.ts'
import { validateClientConfig } from './client-config-validation.ts'
import { validateMatchConditions } from './match-conditions.ts'
import { validateRule } from './rule-validation.ts'

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
