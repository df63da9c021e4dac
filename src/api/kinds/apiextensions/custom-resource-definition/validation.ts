// Validation of a definition. The rules for its schemas are in ../../../machinery/structural.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation.ValidateCustomResourceDefinition, ValidateCustomResourceDefinitionUpdate

import { isEqualJson } from '../../../../base/json.ts'
import { isConditionTrue } from '../../../machinery/conditions.ts'
import { duplicate, type FieldError, forbidden, invalid, notSupported, required, shownAs, tooMany } from '../../../machinery/field-error.ts'
import { hasDefaults } from '../../../machinery/structural/defaults.ts'
import type { CustomResourceDefinition, DefinitionNames, DefinitionVersion, JsonSchema } from '../../../machinery/structural/definition.ts'
import { parseJsonPath } from '../../../machinery/structural/json-path.ts'
import { requireEngines } from '../../../machinery/structural/validator.ts'
import { isDns1035Label, isDns1123Subdomain } from '../../../machinery/validation/names.ts'
import { approvalAnnotation, planApproval } from './approval.ts'

type Spec = CustomResourceDefinition['spec']

export function validateDefinition(object: CustomResourceDefinition): FieldError[] {
  const { spec, metadata } = object
  const errors: FieldError[] = []
  for (const field of ['generateName', 'name'] as const) {
    const name = metadata?.[field]
    if (name && name !== `${spec.names.plural}.${spec.group}`)
      errors.push(invalid(`metadata.${field}`, name, 'must be spec.names.plural+"."+spec.group'))
  }
  return [
    ...errors,
    ...validateSpec(spec, undefined),
    ...validateStoredVersions(object),
    ...validateApproval(object),
    ...validatePreservation(spec),
  ]
}

export function validateDefinitionUpdate(next: CustomResourceDefinition, current: CustomResourceDefinition): FieldError[] {
  const errors = validateSpec(next.spec, current.spec)
  const immutable = (field: string, value: string, before: string) => {
    if (value !== before) errors.push(invalid(field, value, 'field is immutable'))
  }
  if (isConditionTrue(current.status?.conditions, 'Established')) {
    immutable('spec.scope', next.spec.scope, current.spec.scope)
    immutable('spec.names.kind', next.spec.names.kind, current.spec.names.kind)
  }
  immutable('spec.group', next.spec.group, current.spec.group)
  immutable('spec.names.plural', next.spec.names.plural, current.spec.names.plural)
  if (validateApproval(current).length === 0) errors.push(...validateApproval(next))
  return [...errors, ...validateStoredVersions(next), ...validatePreservation(next.spec)]
}

/** No definition of this version has ever preserved unknown fields as a whole. */
const validatePreservation = (spec: Spec): FieldError[] =>
  spec.preserveUnknownFields === true
    ? [
        invalid(
          'spec.preserveUnknownFields',
          true,
          'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
        ),
      ]
    : []

export function validateDefinitionStatus({ status }: CustomResourceDefinition): FieldError[] {
  return validateNames({ plural: '', kind: '', ...status?.acceptedNames }, 'status.acceptedNames')
}

function validateApproval(definition: CustomResourceDefinition): FieldError[] {
  const { reason, message = '' } = planApproval(definition) ?? {}
  const field = `metadata.annotations[${approvalAnnotation}]`
  if (reason === 'MissingAnnotation') return [required(field, message)]
  return reason === 'InvalidAnnotation' ? [invalid(field, definition.metadata?.annotations?.[approvalAnnotation], message)] : []
}

function validateSpec(spec: Spec, before: Spec | undefined): FieldError[] {
  const errors: FieldError[] = []
  const versions = spec.versions ?? []
  if (spec.group === '') errors.push(required('spec.group', ''))
  else if (isDns1123Subdomain(spec.group).length > 0)
    errors.push(invalid('spec.group', spec.group, isDns1123Subdomain(spec.group).join(',')))
  else if (!spec.group.includes('.')) errors.push(invalid('spec.group', spec.group, 'should be a domain with at least one dot'))
  errors.push(...oneOf('spec.scope', spec.scope, ['Cluster', 'Namespaced']))
  for (const [at, { schema }] of versions.entries())
    if (schema?.openAPIV3Schema === undefined) errors.push(required(`spec.versions[${at}].schema.openAPIV3Schema`, ''))
  if (spec.preserveUnknownFields === true && versions.some(({ schema }) => schema?.openAPIV3Schema && hasDefaults(schema.openAPIV3Schema)))
    errors.push(invalid('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema'))
  const shared = sharedParts(versions)
  const ofAll: FieldError[] = []
  for (const [at, version] of versions.entries()) {
    const path = `spec.versions[${at}]`
    if (isDns1035Label(version.name).length > 0) errors.push(invalid(`${path}.name`, version.name, isDns1035Label(version.name).join(',')))
    errors.push(...validateDeprecation(version, path))
    const old = before?.versions.find(({ name }) => name === version.name)
    for (const part of versionParts)
      if (!shared.has(part)) errors.push(...validatePart[part](version, old, `${path}.${part}`))
      else if (at === 0) ofAll.push(...validatePart[part](version, old, part === 'schema' ? 'spec.validation' : `spec.${part}`))
  }
  const shownVersions = () => shownAs(JSON.stringify(spec.versions?.map((version) => internalVersion(version, shared)) ?? null))
  const [first] = versions
  if (first !== undefined && first.name !== '' && isDns1035Label(first.name).length > 0)
    errors.push(invalid('spec.version', first.name, isDns1035Label(first.name).join(',')))
  if (new Set(versions.map(({ name }) => name)).size !== versions.length)
    errors.push(invalid('spec.versions', shownVersions(), 'must contain unique version names'))
  if (versions.filter(({ storage }) => storage).length !== 1)
    errors.push(invalid('spec.versions', shownVersions(), 'must have exactly one version marked as storage version'))
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const)
    if (!spec.names[name]) errors.push(required(`spec.names.${name}`, ''))
  return [...errors, ...validateNames(spec.names, 'spec.names'), ...ofAll, ...validateConversion(spec)]
}

/** A version as Go shows its struct in a message, without the parts that all versions have in common. */
function internalVersion(version: DefinitionVersion, shared: ReadonlySet<(typeof versionParts)[number]>): object {
  const part = (name: (typeof versionParts)[number]) => (shared.has(name) ? null : (version[name] ?? null))
  return {
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: part('schema'),
    Subresources: part('subresources'),
    AdditionalPrinterColumns: part('additionalPrinterColumns'),
    SelectableFields: part('selectableFields'),
  }
}

const versionParts = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const

/** Parts that all versions have in common. Kubernetes keeps them once, beside the versions, and its messages name them there. */
function sharedParts([first, ...others]: readonly DefinitionVersion[]): ReadonlySet<(typeof versionParts)[number]> {
  return new Set(versionParts.filter((part) => others.every((other) => isEqualJson(other[part] ?? null, first?.[part] ?? null))))
}

function oneOf(field: string, value: string, accepted: readonly string[]): FieldError[] {
  if (value === '') return [required(field, '')]
  return accepted.includes(value) ? [] : [notSupported(field, value, accepted)]
}

function validateNames(names: DefinitionNames, path: string): FieldError[] {
  const errors: FieldError[] = []
  const label = (field: string, value: string | undefined, prefix = '') => {
    if (value === undefined || (value === '' && !field.endsWith(']'))) return
    const problems = isDns1035Label(prefix === '' ? value : value.toLowerCase())
    if (problems.length > 0) errors.push(invalid(`${path}.${field}`, value, prefix + problems.join(',')))
  }
  const mixed = 'may have mixed case, but should otherwise match: '
  label('plural', names.plural)
  label('singular', names.singular)
  label('kind', names.kind, mixed)
  label('listKind', names.listKind, mixed)
  for (const [at, name] of (names.shortNames ?? []).entries()) label(`shortNames[${at}]`, name)
  if (names.kind !== '' && names.kind === names.listKind)
    errors.push(invalid(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'))
  for (const [at, name] of (names.categories ?? []).entries()) label(`categories[${at}]`, name)
  return errors
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

function validateDeprecation({ deprecated, deprecationWarning: warning }: DefinitionVersion, path: string): FieldError[] {
  if (warning === undefined) return []
  const field = `${path}.deprecationWarning`
  if (deprecated !== true) return [invalid(field, warning, 'can only be set for deprecated versions')]
  if (warning.length > 256) return [invalid(field, warning, 'must be <= 256 characters long')]
  return warning === '' ? [invalid(field, warning, 'must not be an empty string')] : []
}

type ValidatePart = (version: DefinitionVersion, before: DefinitionVersion | undefined, path: string) => FieldError[]

const validatePart: Readonly<Record<(typeof versionParts)[number], ValidatePart>> = {
  schema({ schema }, before, path) {
    const own = schema?.openAPIV3Schema
    if (own === undefined || isEqualJson(own, before?.schema?.openAPIV3Schema)) return []
    return requireEngines().validateSchema(own, `${path}.openAPIV3Schema`)
  },
  subresources: ({ subresources }, _before, path) => validateScale(subresources?.scale, `${path}.scale`),
  additionalPrinterColumns: ({ additionalPrinterColumns: columns }, _before, path) => validateColumns(columns ?? [], path),
  selectableFields: ({ selectableFields, schema }, _before, path) =>
    validateSelectable(selectableFields ?? [], schema?.openAPIV3Schema, path),
}

function validateColumns(columns: NonNullable<DefinitionVersion['additionalPrinterColumns']>, path: string): FieldError[] {
  const errors: FieldError[] = []
  for (const [at, column] of columns.entries()) {
    const field = `${path}[${at}]`
    const types = `must be one of ${columnTypes.join(',')}`
    if (column.name === '') errors.push(required(`${field}.name`, ''))
    if (column.type === '') errors.push(required(`${field}.type`, types))
    else if (!columnTypes.includes(column.type)) errors.push(invalid(`${field}.type`, column.type, types))
    if (column.format && !columnFormats.includes(column.format))
      errors.push(invalid(`${field}.format`, column.format, `must be one of ${columnFormats.join(',')}`))
    errors.push(...simplePath(`${field}.JSONPath`, column.jsonPath))
  }
  return errors
}

function simplePath(field: string, path: string): FieldError[] {
  if (path === '') return [required(field, '')]
  if (!path.startsWith('.')) return [invalid(field, path, 'must be a simple json path starting with .')]
  const parsed = parseJsonPath(path)
  return typeof parsed === 'string' ? [invalid(field, path, parsed)] : []
}

function validateScale(scale: NonNullable<DefinitionVersion['subresources']>['scale'], path: string): FieldError[] {
  if (scale === undefined) return []
  const errors: FieldError[] = []
  const check = (field: string, value: string, roots: readonly string[]) => {
    const problems = simplePath(`${path}.${field}`, value)
    errors.push(...problems)
    if (problems.length === 0 && !roots.some((root) => value.startsWith(root)))
      errors.push(invalid(`${path}.${field}`, value, `should be a json path under ${roots.join(' or ')}`))
  }
  check('specReplicasPath', scale.specReplicasPath, ['.spec'])
  check('statusReplicasPath', scale.statusReplicasPath, ['.status'])
  if (scale.labelSelectorPath) check('labelSelectorPath', scale.labelSelectorPath, ['.spec', '.status'])
  return errors
}

const maxSelectableFields = 8

function validateSelectable(fields: readonly { readonly jsonPath: string }[], schema: JsonSchema | undefined, path: string): FieldError[] {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  for (const [at, { jsonPath }] of fields.entries()) {
    const field = `${path}[${at}].jsonPath`
    if (jsonPath === '') {
      errors.push(required(field, ''))
      continue
    }
    const found = jsonPath
      .replace(/^\./, '')
      .split('.')
      .reduce<JsonSchema | undefined>((inner, name) => inner?.properties?.[name], schema)
    if (jsonPath.includes('[')) errors.push(invalid(field, jsonPath, 'is an invalid path: array notation is not allowed'))
    else if (jsonPath.startsWith('.metadata')) errors.push(invalid(field, jsonPath, 'must not point to fields in metadata'))
    else if (found === undefined) errors.push(invalid(field, jsonPath, 'is an invalid path: does not refer to a valid field'))
    else if (!['string', 'boolean', 'integer'].includes(found.type ?? ''))
      errors.push(
        invalid(
          field,
          jsonPath,
          'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
        ),
      )
    else if (seen.has(jsonPath)) errors.push(duplicate(field, jsonPath))
    seen.add(jsonPath)
  }
  if (seen.size > maxSelectableFields) errors.push(tooMany(path, seen.size, maxSelectableFields))
  return errors
}

function validateConversion({ conversion }: Spec): FieldError[] {
  if (conversion === undefined) return []
  const errors = oneOf('spec.conversion.strategy', conversion.strategy, ['None', 'Webhook'])
  const { webhook } = conversion
  const path = 'spec.conversion'
  const config = webhook?.clientConfig
  if (conversion.strategy !== 'Webhook') {
    if (config !== undefined) errors.push(forbidden(`${path}.webhookClientConfig`, 'should not be set when strategy is not set to Webhook'))
    if ((webhook?.conversionReviewVersions?.length ?? 0) > 0)
      errors.push(forbidden(`${path}.conversionReviewVersions`, 'should not be set when strategy is not set to Webhook'))
    return errors
  }
  if (config === undefined) errors.push(required(`${path}.webhookClientConfig`, 'required when strategy is set to Webhook'))
  else if ((config.url === undefined) === (config.service === undefined))
    errors.push(required(`${path}.webhookClientConfig`, 'exactly one of url or service is required'))
  const versions = webhook?.conversionReviewVersions ?? []
  if (versions.length === 0) errors.push(required(`${path}.conversionReviewVersions`, ''))
  else if (!versions.some((version) => version === 'v1' || version === 'v1beta1'))
    errors.push(invalid(`${path}.conversionReviewVersions`, versions, 'must include at least one of v1, v1beta1'))
  return errors
}

function validateStoredVersions({ spec, status }: CustomResourceDefinition): FieldError[] {
  const field = 'status.storedVersions'
  const stored = status?.storedVersions ?? []
  if (stored.length === 0) return [invalid(field, status?.storedVersions ?? null, 'must have at least one stored version')]
  const names = new Set((spec.versions ?? []).map(({ name }) => name))
  return stored.flatMap((version, at) =>
    names.has(version)
      ? []
      : [
          invalid(
            `${field}[${at}]`,
            version,
            `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`,
          ),
        ],
  )
}
