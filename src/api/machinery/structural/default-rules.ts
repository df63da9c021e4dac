// What is wrong with the defaults of a schema.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting.ValidateDefaults, validate, pruner.pruneDefaults
import { copyJson } from '../../../base/json.ts'
import { type FieldError, fieldErrorMessage, invalid } from '../field-error.ts'
import { type JsonObject, withSortedKeys } from '../json-object.ts'
import type { JsonSchema } from './definition.ts'
import { coerceEmbedded, validateEmbedded } from './embedded.ts'
import { prune } from './prune.ts'
import { validateRules } from './rules.ts'
import { validateValue } from './values.ts'

/** The resource around a schema: the custom resource or one that is embedded in it. */
interface Resource {
  readonly schema: JsonSchema
  /** Whether the schema is that of its kind or metadata, or a part of these. */
  readonly isInMeta: boolean
  /** A resource that has the value at the place of the schema. */
  with(value: unknown): JsonObject
}

const resourceOf = (schema: JsonSchema): Resource => ({
  schema: { ...schema, 'x-kubernetes-embedded-resource': true },
  isInMeta: false,
  with: (value) => ({ apiVersion: 'validation/v1', kind: 'Validation', ...(value as JsonObject) }),
})

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

/** `schema` is that of a custom resource, and structural. Kubernetes does not check the defaults of additionalProperties. */
export function validateDefaults(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = []
  checkFields(schema, path, resourceOf(schema), true, errors)
  return errors
}

function check(schema: JsonSchema, path: string, around: Resource, errors: FieldError[]): void {
  const isResource = schema['x-kubernetes-embedded-resource'] === true
  const resource = isResource ? resourceOf(schema) : around
  if (schema.default !== undefined) errors.push(...defaultErrors(schema, resource, `${path}.default`))
  if (schema.items !== undefined) check(schema.items, `${path}.items`, { ...resource, with: (value) => resource.with([value]) }, errors)
  checkFields(schema, path, resource, isResource, errors)
}

function checkFields(schema: JsonSchema, path: string, resource: Resource, isResource: boolean, errors: FieldError[]): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isInMeta = resource.isInMeta || (isResource && metaFields.has(name))
    check(property, `${path}.properties[${name}]`, { ...resource, isInMeta, with: (value) => resource.with({ [name]: value }) }, errors)
  }
}

/** A default has no fields that would be pruned, and fits its schema with all its rules. */
function defaultErrors(schema: JsonSchema, resource: Resource, path: string): FieldError[] {
  const value = copyJson(schema.default)
  const errors: FieldError[] = []
  if (resource.isInMeta) {
    const problem = metaProblem(resource, value)
    if (problem !== undefined) return [invalid(path, value, `must result in valid metadata: ${problem}`)]
  } else {
    const unknown: string[] = []
    prune(schema, value, (field) => unknown.push(field))
    if (unknown.length > 0) return [invalid(path, withSortedKeys(value), 'must not have unknown fields')]
    const problem = coerceEmbedded(schema, value, path)
    if (problem !== undefined) return [problem]
    validateEmbedded(schema, value, path, errors)
    if (errors.length > 0) return errors
  }
  validateValue(schema, value, '', errors)
  if (errors.length === 0) errors.push(...ruleErrors(schema, value))
  return errors.map((error) => ({ ...error, field: joinPath(path, error.field) }))
}

function metaProblem(resource: Resource, value: unknown): string | undefined {
  const object = resource.with(value)
  const problem = coerceEmbedded(resource.schema, object, '')
  if (problem !== undefined) return fieldErrorMessage(problem)
  const errors: FieldError[] = []
  validateEmbedded(resource.schema, object, '', errors)
  const messages = errors.map(fieldErrorMessage)
  return messages.length > 1 ? `[${messages.join(', ')}]` : messages[0]
}

/** Evaluates the rules for an update that leaves the default unchanged, and for a creation with it. */
function ruleErrors(schema: JsonSchema, value: unknown): FieldError[] {
  const unchanged = validateRules(schema, value, value, { isRoot: false, ratchets: false })
  return unchanged.length > 0 ? unchanged : validateRules(schema, value, undefined, { isRoot: false })
}

/** The path of the default in the definition, and the path inside of the default. */
function joinPath(path: string, inner: string): string {
  if (inner === '<nil>' || inner === '') return path
  return inner.startsWith('[') ? path + inner : `${path}.${inner}`
}
