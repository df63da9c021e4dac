// Whether a schema is structural: it says the type of every value, outside of allOf, anyOf, oneOf and not, which only restrict.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/schema.NewStructural, ValidateStructural, validateStructuralInvariants
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/schema.validateStructuralCompleteness, validateExtensions
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/schema.validateValueValidation
import { compilePattern, patternProblem } from '../cel/library/regex.ts'
import { type FieldError, fieldErrorMessage, forbidden, invalid, required } from '../field-error.ts'
import type { JsonSchema } from './definition.ts'

type Level = 'root' | 'item' | 'field'

export function validateStructural(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = []
  checkInvariants(schema, 'root', path, errors)
  for (const [word, nested] of junctors(schema)) checkComplete(schema, nested, `${path}.${word}`, path, errors)
  return errors
    .map((error) => [fieldErrorMessage(error), error] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, error]) => error)
}

const isIntOrString = (anyOf: readonly JsonSchema[] | undefined) =>
  anyOf?.length === 2 && anyOf[0]!.type === 'integer' && anyOf[1]!.type === 'string' && anyOf.every((one) => Object.keys(one).length === 1)

const propertyPath = (path: string, name: string) => `${path}.properties[${name}]`

/** `allOf[0]`, `not`, … with their schemas. */
function junctors(schema: JsonSchema): [string, JsonSchema][] {
  const listed = (['anyOf', 'allOf', 'oneOf'] as const).flatMap((word) =>
    (schema[word] ?? []).map((nested, at): [string, JsonSchema] => [`${word}[${at}]`, nested]),
  )
  return schema.not === undefined ? listed : [...listed, ['not', schema.not]]
}

function checkInvariants(schema: JsonSchema, level: Level, path: string, errors: FieldError[]): void {
  const { type, properties = {}, additionalProperties, items } = schema
  const keepsUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const isEither = schema['x-kubernetes-int-or-string'] === true
  if (type === 'array' && items === undefined) errors.push(required(`${path}.items`, 'must be specified'))
  if (items !== undefined) checkInvariants(items, 'item', `${path}.items`, errors)
  for (const [name, property] of Object.entries(properties)) checkInvariants(property, 'field', propertyPath(path, name), errors)
  if (additionalProperties !== undefined) {
    if (level === 'root') errors.push(forbidden(`${path}.additionalProperties`, 'must not be used at the root'))
    if (typeof additionalProperties === 'object') checkInvariants(additionalProperties, 'field', `${path}.additionalProperties`, errors)
  }
  if (isEither && keepsUnknown)
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, true, 'must be false if x-kubernetes-int-or-string is true'))
  if (isEither && isEmbedded)
    errors.push(invalid(`${path}.x-kubernetes-embedded-resource`, true, 'must be false if x-kubernetes-int-or-string is true'))
  checkRestrictions(schema, isIntOrString(schema.anyOf) === true, isIntOrString(schema.allOf?.[0]?.anyOf) === true, path, errors)
  checkOwnType(schema, level, path, errors)
  if (level === 'root' && type !== undefined && type !== '' && type !== 'object')
    errors.push(invalid(`${path}.type`, type, 'must be object at the root'))
  if (level === 'root' || isEmbedded)
    for (const name of ['kind', 'apiVersion'])
      if (properties[name] !== undefined && properties[name].type !== 'string')
        errors.push(invalid(`${propertyPath(path, name)}.type`, properties[name].type ?? '', 'must be string'))
  if (properties['metadata'] !== undefined) checkMetadata(properties['metadata'], level, isEmbedded, propertyPath(path, 'metadata'), errors)
  if (isEmbedded && !keepsUnknown && Object.keys(properties).length === 0)
    errors.push(
      required(
        `${path}.properties`,
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    )
}

function checkOwnType(schema: JsonSchema, level: Level, path: string, errors: FieldError[]): void {
  const type = schema.type ?? ''
  if (schema['x-kubernetes-embedded-resource'] === true) {
    const detail = 'must be object if x-kubernetes-embedded-resource is true'
    if (type !== 'object') errors.push(type === '' ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail))
    if (schema.additionalProperties !== undefined)
      errors.push(forbidden(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'))
    if (type !== 'object') return
  }
  if (type !== '' || schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true) return
  const where = { root: 'at the root', item: 'for specified array items', field: 'for specified object fields' }[level]
  errors.push(required(`${path}.type`, `must not be empty ${where}`))
}

function checkMetadata(schema: JsonSchema, level: Level, isEmbedded: boolean, path: string, errors: FieldError[]): void {
  if ((level === 'root' || isEmbedded) && schema.type !== 'object')
    errors.push(invalid(`${path}.type`, schema.type ?? '', 'must be object'))
  if (level !== 'root') return
  const { type: _, default: __, description: ___, properties = {}, ...rest } = schema
  const isNamesOnly = Object.keys(properties).every((name) => name === 'name' || name === 'generateName')
  if (!isNamesOnly || Object.keys(rest).length > 0)
    errors.push(forbidden(path, 'must not specify anything other than name and generateName, but metadata is implicitly specified'))
}

function checkRestrictions(schema: JsonSchema, skipsAnyOf: boolean, skipsFirstAnyOf: boolean, path: string, errors: FieldError[]): void {
  if (!skipsAnyOf) for (const [at, nested] of (schema.anyOf ?? []).entries()) checkNested(nested, false, `${path}.anyOf[${at}]`, errors)
  for (const [at, nested] of (schema.allOf ?? []).entries())
    checkNested(nested, skipsFirstAnyOf && at === 0, `${path}.allOf[${at}]`, errors)
  for (const [at, nested] of (schema.oneOf ?? []).entries()) checkNested(nested, false, `${path}.oneOf[${at}]`, errors)
  if (schema.not !== undefined) checkNested(schema.not, false, `${path}.not`, errors)
  if (schema.pattern === undefined || schema.pattern === '') return
  try {
    compilePattern(schema.pattern)
  } catch (error) {
    errors.push(invalid(`${path}.pattern`, schema.pattern, `must be a valid regular expression, but isn't: ${patternProblem(error)}`))
  }
}

const forbiddenWords: readonly (readonly [keyof JsonSchema, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
]

function checkNested(schema: JsonSchema, skipsAnyOf: boolean, path: string, errors: FieldError[]): void {
  checkRestrictions(schema, skipsAnyOf, false, path, errors)
  if (schema.items !== undefined) checkNested(schema.items, false, `${path}.items`, errors)
  for (const [name, property] of Object.entries(schema.properties ?? {})) checkNested(property, false, propertyPath(path, name), errors)
  for (const [word, detail] of forbiddenWords) {
    const value = schema[word]
    if (value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0))
      errors.push(forbidden(`${path}.${word}`, detail))
  }
  if (schema.properties?.['metadata'] !== undefined)
    errors.push(forbidden(propertyPath(path, 'metadata'), 'must not be specified in a nested context'))
}

/** Every field that a restriction names is declared outside of it. */
function checkComplete(schema: JsonSchema | undefined, nested: JsonSchema, path: string, outer: string, errors: FieldError[]): void {
  if (schema === undefined) {
    errors.push(required(outer, `because it is defined in ${path}`))
    return
  }
  if (nested.items !== undefined) checkComplete(schema.items, nested.items, `${path}.items`, `${outer}.items`, errors)
  for (const [name, property] of Object.entries(nested.properties ?? {})) {
    const declared = schema.properties?.[name]
    if (declared === undefined && schema.additionalProperties !== undefined) {
      errors.push(required(propertyPath(outer, name), `because it is defined in ${propertyPath(path, name)}`))
      continue
    }
    checkComplete(declared, property, propertyPath(path, name), propertyPath(outer, name), errors)
  }
  for (const [word, inner] of junctors(nested)) checkComplete(schema, inner, `${path}.${word}`, outer, errors)
}
