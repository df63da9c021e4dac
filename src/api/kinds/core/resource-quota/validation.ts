// Kubernetes: pkg/apis/core/validation.ValidateResourceQuota, ValidateResourceQuotaUpdate, ValidateResourceQuotaStatusUpdate
// Kubernetes: pkg/apis/core/validation.validateResourceQuotaScopes, validateScopedResourceSelectorRequirement, ValidateResourceQuotaSpec
import { type FieldError, invalid, required, typed } from '../../../machinery/field-error.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import { validateResourceName, validateResourceQuantity } from '../../../machinery/validation/resources.ts'
import { shownStruct } from '../../../machinery/validation/shown-struct.ts'
import type { ResourceQuota } from '../../../types.ts'

type QuotaSpec = NonNullable<ResourceQuota['spec']>
type Amounts = Readonly<Record<string, string>>

const compute = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']
const standard = new Set([
  ...compute,
  'ephemeral-storage',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
])
const isStandard = (name: string) => standard.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-')

/** What a scope can be applied to. */
const podResources = new Set(['pods', ...compute])
const scopes = new Map<string, ReadonlySet<string>>([
  ['Terminating', podResources],
  ['NotTerminating', podResources],
  ['BestEffort', new Set(['pods'])],
  ['NotBestEffort', podResources],
  ['PriorityClass', podResources],
  ['CrossNamespacePodAffinity', podResources],
  ['VolumeAttributesClass', new Set(['persistentvolumeclaims', 'requests.storage'])],
])
const conflicts = [
  ['BestEffort', 'NotBestEffort'],
  ['NotTerminating', 'Terminating'],
]

function addAmountErrors(errors: FieldError[], amounts: Amounts | undefined, path: string): void {
  for (const [name, quantity] of Object.entries(amounts ?? {})) {
    const here = `${path}[${name}]`
    errors.push(...validateResourceName(name, here))
    if (!name.includes('/') && !isStandard(name)) errors.push(invalid(here, typed(name), 'must be a standard resource for quota'))
    errors.push(...validateResourceQuantity(name, quantity, here))
  }
}

export function validateResourceQuota({ spec = {}, status }: ResourceQuota): FieldError[] {
  const errors = validateSpec(spec)
  addStatusErrors(errors, status)
  return errors
}

function validateSpec(spec: QuotaSpec): FieldError[] {
  const errors: FieldError[] = []
  addAmountErrors(errors, spec.hard, 'spec.hard')
  const limited = Object.keys(spec.hard ?? {}).filter(isStandard)
  const addScopeErrors = (scope: string, unsupported: FieldError, misapplied: FieldError) => {
    const allowed = scopes.get(scope)
    if (allowed === undefined) errors.push(unsupported)
    else for (const name of limited) if (!allowed.has(name)) errors.push(misapplied)
  }
  const addConflicts = (used: readonly string[], path: string) => {
    for (const pair of conflicts)
      if (pair.every((scope) => used.includes(scope))) errors.push(invalid(path, spec.scopes ?? null, 'conflicting scopes'))
  }
  const wrong = (detail: string) => invalid('spec.scopes', spec.scopes, detail)
  for (const scope of spec.scopes ?? []) addScopeErrors(scope, wrong('unsupported scope'), wrong('unsupported scope applied to resource'))
  addConflicts(spec.scopes ?? [], 'spec.scopes')
  if (spec.scopeSelector === undefined) return errors
  const path = 'spec.scopeSelector.matchExpressions'
  const shown = shownStruct('core.ScopeSelector', spec.scopeSelector)
  const expressions = spec.scopeSelector.matchExpressions ?? []
  for (const { scopeName = '', operator, values = [] } of expressions) {
    addScopeErrors(
      scopeName,
      invalid(`${path}.scopeName`, typed(scopeName), 'unsupported scope'),
      invalid(path, shown, 'unsupported scope applied to resource'),
    )
    const onlyExists = scopes.has(scopeName) && scopeName !== 'PriorityClass' && scopeName !== 'VolumeAttributesClass'
    if (onlyExists && operator !== 'Exists')
      errors.push(
        invalid(
          `${path}.operator`,
          typed(operator),
          "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
        ),
      )
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0)
        errors.push(required(`${path}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"))
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0)
        errors.push(invalid(`${path}.values`, values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"))
    } else errors.push(invalid(`${path}.operator`, typed(operator), 'not a valid selector operator'))
  }
  addConflicts(
    expressions.map(({ scopeName }) => scopeName),
    path,
  )
  return errors
}

function addStatusErrors(errors: FieldError[], status: ResourceQuota['status']): void {
  addAmountErrors(errors, status?.hard, 'status.hard')
  addAmountErrors(errors, status?.used, 'status.used')
}

export function validateResourceQuotaUpdate(next: ResourceQuota, current: ResourceQuota): FieldError[] {
  const errors = validateSpec(next.spec ?? {})
  const after = new Set(next.spec?.scopes)
  const before = new Set(current.spec?.scopes)
  if (after.size !== before.size || [...after].some((scope) => !before.has(scope)))
    errors.push(invalid('spec.scopes', next.spec?.scopes, immutableMessage))
  return errors
}

export function validateResourceQuotaStatusUpdate(next: ResourceQuota): FieldError[] {
  const errors: FieldError[] = []
  addStatusErrors(errors, next.status)
  return errors
}
