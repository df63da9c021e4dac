// What is wrong with a schema besides its structure: types, list and map types, defaults, rules.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation.ValidateCustomResourceDefinitionOpenAPISchema
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation.specStandardValidatorV3.*
import { type FieldError, forbidden, invalid, notSupported, required, shownAs } from '../field-error.ts'
import { goJson } from '../go-text.ts'
import { validateDefaults } from './default-rules.ts'
import type { JsonSchema, ValidationRule } from './definition.ts'
import { childOccurrences, type Occurrences, RuleCosts } from './rule-costs.ts'
import { resourceType, ruleType } from './rule-types.ts'
import { compileRules, reasons } from './rules.ts'
import { validateStructural } from './structural.ts'

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']

/** All problems of the schema of a version. */
export function validateSchema(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (schema.nullable === true) errors.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'))
  const isReadable = !hasUnsupported(schema)
  const structural = isReadable ? validateStructural(schema, path) : []
  const defaults = isReadable && structural.length === 0 ? validateDefaults(schema, path) : []
  errors.push(...structural, ...defaults)
  const compilesRules = isReadable && structural.length === 0 && defaults.length === 0
  const walk: Walk = { schemaErrors: [], ruleErrors: [], compilesRules, costs: new RuleCosts() }
  checkSchema(walk, schema, path, { isRoot: true, uncorrelated: undefined, isNested: false, occurrences: 1 })
  return [...errors, ...walk.schemaErrors, ...walk.ruleErrors, ...walk.costs.totalErrors(path)]
}

const unsupported = ['$ref', 'dependencies', 'id', 'patternProperties', 'additionalItems', 'definitions']

/** Whether Kubernetes cannot read the schema as a structural one. It then reports only the words that it does not support. */
function hasUnsupported(schema: JsonSchema): boolean {
  if (unsupported.some((word) => schema[word] !== undefined) || Array.isArray(schema.items)) return true
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) return true
  const { properties = {}, allOf = [], anyOf = [], oneOf = [] } = schema
  const inner = [...Object.values(properties), ...allOf, ...anyOf, ...oneOf, schema.items, schema.not, schema.additionalProperties]
  return inner.some((one) => typeof one === 'object' && hasUnsupported(one))
}

interface Walk {
  readonly schemaErrors: FieldError[]
  readonly ruleErrors: FieldError[]
  readonly compilesRules: boolean
  readonly costs: RuleCosts
}

interface Place {
  readonly isRoot: boolean
  /** The first schema around that cannot tell which value was which before an update. */
  readonly uncorrelated: string | undefined
  /** Inside of allOf and the like. */
  readonly isNested: boolean
  readonly occurrences: Occurrences
}

function checkSchema(walk: Walk, schema: JsonSchema, path: string, place: Place): void {
  const before = walk.schemaErrors.length
  const { schemaErrors: errors } = walk
  checkWords(schema, path, errors)
  const { properties, additionalProperties, items } = schema
  const inner: Place = { ...place, isRoot: false, occurrences: childOccurrences(schema, place.occurrences) }
  if (additionalProperties !== undefined) {
    if (properties !== undefined && Object.keys(properties).length > 0 && additionalProperties !== true)
      errors.push(forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'))
    if (typeof additionalProperties === 'object') checkSchema(walk, additionalProperties, `${path}.additionalProperties`, inner)
  }
  for (const [name, property] of Object.entries(properties ?? {})) {
    if (place.isRoot && ['metadata', 'kind', 'apiVersion'].includes(name) && property.default !== undefined)
      errors.push(forbidden(`${path}.properties[${name}].default`, `must not be set in top-level ${name}`))
    checkSchema(walk, property, `${path}.properties[${name}]`, inner)
  }
  const nested: Place = { ...inner, isNested: true }
  if (schema.not !== undefined) checkSchema(walk, schema.not, `${path}.not`, nested)
  for (const word of ['allOf', 'oneOf', 'anyOf'] as const)
    for (const [at, one] of (schema[word] ?? []).entries()) checkSchema(walk, one, `${path}.${word}[${at}]`, nested)
  if (items !== undefined && !Array.isArray(items)) {
    const isMap = schema['x-kubernetes-list-type'] === 'map'
    checkSchema(walk, items, `${path}.items`, isMap ? inner : { ...inner, uncorrelated: inner.uncorrelated ?? path })
  }
  checkTypes(schema, path, errors)
  checkKeys(schema, path, errors)
  checkRules(walk, schema, path, place, before)
}

function checkWords(schema: JsonSchema, path: string, errors: FieldError[]): void {
  const { type } = schema
  if (type !== undefined && type !== '' && !types.includes(type)) errors.push(notSupported(`${path}.type`, type, types))
  for (const word of unsupported) if (schema[word] !== undefined) errors.push(forbidden(`${path}.${word}`, `${word} is not supported`))
  if (schema.uniqueItems === true)
    errors.push(forbidden(`${path}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'))
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    errors.push(invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'))
  if (Array.isArray(schema.items)) errors.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'))
}

function checkTypes(schema: JsonSchema, path: string, errors: FieldError[]): void {
  const { type = '', items } = schema
  const mapType = schema['x-kubernetes-map-type']
  const listType = schema['x-kubernetes-list-type']
  const wants = (wanted: string, word: string) => {
    const detail = `must be ${wanted} if ${word} is specified`
    if (type !== wanted) errors.push(type === '' ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail))
  }
  if (mapType !== undefined) {
    wants('object', 'x-kubernetes-map-type')
    if (mapType !== 'atomic' && mapType !== 'granular')
      errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']))
  }
  if (listType === undefined) return
  wants('array', 'x-kubernetes-list-type')
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  if (type === 'array' && listType === 'set' && items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic')
    errors.push(invalid(`${path}.items.x-kubernetes-map-type`, null, detail))
  const inner = items?.['x-kubernetes-list-type']
  if (type === 'array' && listType === 'set' && items?.type === 'array' && inner !== undefined && inner !== 'atomic')
    errors.push(invalid(`${path}.items.x-kubernetes-list-type`, inner, detail))
  if (!['atomic', 'set', 'map'].includes(listType))
    errors.push(notSupported(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']))
}

function checkKeys(schema: JsonSchema, path: string, errors: FieldError[]): void {
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const listType = schema['x-kubernetes-list-type']
  const field = `${path}.x-kubernetes-list-map-keys`
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty'
    const at = `${path}.x-kubernetes-list-type`
    errors.push(listType === undefined ? required(at, detail) : invalid(at, listType, detail))
  }
  const { items } = schema
  if (listType === 'set' && items?.nullable === true)
    errors.push(forbidden(`${path}.items.nullable`, 'cannot be nullable when x-kubernetes-list-type is set'))
  if (listType !== 'map') return
  if (keys.length === 0) errors.push(required(field, 'must not be empty if x-kubernetes-list-type is map'))
  if (items === undefined) errors.push(required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'))
  else if (items.type !== 'object')
    errors.push(invalid(`${path}.items.type`, items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map"))
  if (items?.nullable === true) errors.push(forbidden(`${path}.items.nullable`, 'cannot be nullable when x-kubernetes-list-type is map'))
  if (items?.type !== 'object') return
  for (const [at, key] of keys.entries()) {
    const property = items.properties?.[key]
    const inner = `${path}.items.properties[${key}]`
    if (property === undefined) errors.push(invalid(field, keys, 'entries must all be names of item properties'))
    else if (property.type === 'array' || property.type === 'object')
      errors.push(invalid(`${inner}.type`, items.type, "must be a scalar type if parent array's x-kubernetes-list-type is map"))
    if (keys.indexOf(key) !== at) errors.push(invalid(field, keys, 'must not contain duplicate entries'))
    if (property === undefined) continue
    if (property.default === undefined && items.required?.includes(key) !== true)
      errors.push(
        required(`${inner}.default`, 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'),
      )
    if (property.nullable === true)
      errors.push(forbidden(`${inner}.nullable`, 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'))
  }
}

function checkRules(walk: Walk, schema: JsonSchema, path: string, place: Place, before: number): void {
  const rules = schema['x-kubernetes-validations'] ?? []
  if (rules.length === 0) return
  for (const [at, rule] of rules.entries()) checkRule(schema, rule, `${path}.x-kubernetes-validations[${at}]`, walk.schemaErrors)
  if (walk.schemaErrors.length > before || !walk.compilesRules || place.isNested) return
  const isResource = place.isRoot || schema['x-kubernetes-embedded-resource'] === true
  if ((isResource ? resourceType(schema) : ruleType(schema)) === null) {
    const detail =
      'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations'
    walk.ruleErrors.push({ type: 'InternalError', field: `${path}.x-kubernetes-validations`, detail })
    return
  }
  for (const [at, compiled] of compileRules(schema, place.isRoot).entries()) {
    const { rule, problem, messageProblem, usesOldSelf } = compiled
    const field = `${path}.x-kubernetes-validations[${at}]`
    walk.ruleErrors.push(...walk.costs.add(field, compiled, schema, isResource, place.occurrences))
    if (problem !== undefined) walk.ruleErrors.push(invalid(`${field}.rule`, shownRule(rule), problem))
    if (messageProblem !== undefined) walk.ruleErrors.push(invalid(`${field}.messageExpression`, shownRule(rule), messageProblem))
    if (usesOldSelf && place.uncorrelated !== undefined)
      walk.ruleErrors.push(
        invalid(
          `${field}.rule`,
          rule.rule,
          `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelated}`,
        ),
      )
    if (!usesOldSelf && rule.optionalOldSelf !== undefined)
      walk.ruleErrors.push(invalid(`${field}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'))
  }
}

/** The rule as Go shows a struct in a message. */
function shownRule(rule: ValidationRule): unknown {
  const fields = {
    rule: rule.rule,
    message: rule.message ?? '',
    messageExpression: rule.messageExpression ?? '',
    reason: rule.reason ?? null,
    fieldPath: rule.fieldPath ?? '',
    optionalOldSelf: rule.optionalOldSelf ?? null,
  }
  const [names, values] = [Object.keys(fields), Object.values(fields)]
  const upper = (name: string) => name[0]!.toUpperCase() + name.slice(1)
  return shownAs(`{${names.map((name, at) => `"${upper(name)}":${goJson(values[at])}`).join(',')}}`)
}

function checkRule(schema: JsonSchema, rule: ValidationRule, path: string, errors: FieldError[]): void {
  const { message = '', messageExpression = '', fieldPath = '' } = rule
  const text = (rule.rule ?? '').trim()
  if (text === '') errors.push(required(`${path}.rule`, 'rule is not specified'))
  else if (message !== '' && message.trim() === '') errors.push(invalid(`${path}.message`, message, 'must be non-empty if specified'))
  else if (/[\n\r]/.test(message.trim())) errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'))
  else if (/[\n\r]/.test(text) && message.trim() === '')
    errors.push(required(`${path}.message`, 'message must be specified if rule contains line breaks'))
  if (messageExpression !== '' && messageExpression.trim() === '')
    errors.push(required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'))
  if (rule.reason !== undefined && !reasons.includes(rule.reason)) errors.push(notSupported(`${path}.reason`, rule.reason, reasons))
  if (fieldPath === '') return
  if (fieldPath.trim() === '') errors.push(invalid(`${path}.fieldPath`, fieldPath, 'must be non-empty if specified'))
  if (/[\n\r]/.test(fieldPath)) errors.push(invalid(`${path}.fieldPath`, fieldPath, 'must not contain line breaks'))
  if (!isFieldPath(schema, fieldPath)) errors.push(invalid(`${path}.fieldPath`, fieldPath, 'must be a valid path'))
}

function fieldIn({ properties, additionalProperties }: JsonSchema, name: string): JsonSchema | undefined {
  if (properties !== undefined) return properties[name]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** Whether a path such as `.spec.labels['a.b']` leads to a field of the schema. */
function isFieldPath(schema: JsonSchema, path: string): boolean {
  const steps = path.match(/\.[^.[\]]+|\['(?:[^'\\]|\\.)*'\]/g) ?? []
  if (steps.length === 0 || steps.join('') !== path) return false
  let inner: JsonSchema | undefined = schema
  for (const step of steps) {
    const name = step.startsWith('.') ? step.slice(1) : step.slice(2, -2).replace(/\\(.)/g, '$1')
    inner = fieldIn(inner, name)
    if (inner === undefined) return false
  }
  return true
}
