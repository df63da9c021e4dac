// What the rules of a definition are estimated to cost. Kubernetes refuses definitions whose rules could take too long.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel.compileRule, maxCardinality
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation.RootCELContext, CELSchemaContext.*, TotalCost.*
import { getOrAdd } from '../../../base/maps.ts'
import { estimateCost, type SizedType } from '../cel/cel.ts'
import { type FieldError, forbidden } from '../field-error.ts'
import type { JsonSchema } from './definition.ts'
import { hasOwnMetadata, jsonNameOf, ruleType } from './rule-types.ts'
import type { CompiledRule } from './rules.ts'

// How large the values of a schema can be, for the estimate of what its rules cost: by the limits of the schema, or else by the largest
// request that the API server accepts.
// Kubernetes: k8s.io/apiserver/pkg/cel/common.estimateMaxStringLengthPerRequest, estimateMaxArrayItemsFromMinSize
// Kubernetes: k8s.io/apiserver/pkg/cel/common.estimateMaxAdditionalPropertiesFromMinSize, estimateMaxElementsFromMaxLength
const maxRequestSize = 3 * 1024 * 1024

const scalarSizes = { boolean: 4, number: 1, integer: 1 } as const
const metadata: JsonSchema = { type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } }

const isEmbedded = (schema: JsonSchema) => schema['x-kubernetes-embedded-resource'] === true

/** Computes once for each schema: a rule asks for the size of its schema with every name. */
function oncePerSchema<T>(compute: (schema: JsonSchema, isResource: boolean) => T): (schema: JsonSchema, isResource: boolean) => T {
  const ofResources = new WeakMap<JsonSchema, T>()
  const ofValues = new WeakMap<JsonSchema, T>()
  return (schema, isResource) => getOrAdd(isResource ? ofResources : ofValues, schema, () => compute(schema, isResource))
}

/** `isResource`: the schema is that of a whole object. */
export const sizedType = oncePerSchema(makeSizedType)
/** The length of the shortest JSON of a value. */
const smallestSize = oncePerSchema(computeSmallestSize)

function makeSizedType(schema: JsonSchema, isResource: boolean): SizedType {
  if (schema['x-kubernetes-int-or-string'] === true) return { maxElements: textLength(schema) }
  switch (schema.type) {
    case 'array': {
      const items = schema.items!
      const maxElements = schema.maxItems ?? Math.floor((maxRequestSize - 2) / (smallestSize(items, isEmbedded(items)) + 1))
      return { maxElements: Math.max(0, maxElements), elements: () => sizedType(items, isEmbedded(items)) }
    }
    case 'object': {
      const values = schema.additionalProperties
      if (typeof values === 'object') {
        const maxElements = schema.maxProperties ?? Math.floor((maxRequestSize - 2) / (smallestSize(values, isEmbedded(values)) + 6))
        return { maxElements: Math.max(0, maxElements), elements: () => sizedType(values, isEmbedded(values)) }
      }
      const properties = propertiesOf(schema, isResource)
      return {
        maxElements: 0,
        fieldOf(name) {
          const jsonName = jsonNameOf(name)
          const property = jsonName !== undefined && Object.hasOwn(properties, jsonName) ? properties[jsonName] : undefined
          return property === undefined || ruleType(property) === null ? undefined : sizedType(property, isEmbedded(property))
        },
      }
    }
    case 'string':
      return { maxElements: textLength(schema) }
    default:
      return { maxElements: 0 }
  }
}

/** Every object has a kind, an apiVersion and a name, whether its schema says so or not. */
function propertiesOf(schema: JsonSchema, isResource: boolean): Readonly<Record<string, JsonSchema>> {
  const { properties = {} } = schema
  if (!isResource || hasOwnMetadata(schema)) return properties
  return { ...properties, kind: { type: 'string' }, apiVersion: { type: 'string' }, metadata }
}

/** In bytes, of which a character takes up to 4. */
function textLength(schema: JsonSchema): number {
  const { maxLength } = schema
  if (schema['x-kubernetes-int-or-string'] === true) return maxLength === undefined ? maxRequestSize - 2 : Math.max(0, maxLength) * 4
  switch (schema.format) {
    case 'byte':
      return maxLength === undefined ? maxRequestSize - 2 : Math.max(0, maxLength)
    case 'duration':
    case 'date-time':
      return 32
    case 'date':
      return 12
    default:
      break
  }
  if (maxLength !== undefined) return Math.max(0, maxLength) * 4
  if (schema.enum === undefined || schema.enum.length === 0) return maxRequestSize - 2
  return schema.enum.reduce<number>(
    (longest, one) => Math.max(longest, typeof one === 'string' ? new TextEncoder().encode(one).length : 0),
    0,
  )
}

function computeSmallestSize(schema: JsonSchema, isResource: boolean): number {
  if (schema['x-kubernetes-int-or-string'] === true) return 1
  switch (schema.type) {
    case 'string':
      return { duration: 3, date: 12, 'date-time': 21 }[schema.format ?? ''] ?? 2
    case 'boolean':
    case 'number':
    case 'integer':
      return scalarSizes[schema.type]
    case 'object':
      return typeof schema.additionalProperties === 'object' ? 2 : 2 + requiredSize(schema, isResource)
    default:
      return 2
  }
}

/** A default is added by the server: the request need not have it. */
function requiredSize(schema: JsonSchema, isResource: boolean): number {
  const properties = propertiesOf(schema, isResource)
  let size = 0
  for (const name of new Set(schema.required ?? [])) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property === undefined || property.default !== undefined || ruleType(property) === null) continue
    size += new TextEncoder().encode(name).length + smallestSize(property, isEmbedded(property)) + 4
  }
  return size
}

/** How often values of a schema can be in an object, where no limit says less. */
export const maxOccurrences = (schema: JsonSchema, isResource: boolean): number =>
  Math.floor(maxRequestSize / (smallestSize(schema, isResource) + 1))

const perRuleLimit = 10_000_000
const perSchemaLimit = 100_000_000
/** The message about the whole schema names at most this many rules. */
const maxNamed = 4

/** How often values of a schema can be in one object. Undefined: a list or map around it has no limit. */
export type Occurrences = number | undefined

/** How often the children of a schema can be in one object. */
export function childOccurrences(schema: JsonSchema, own: Occurrences): Occurrences {
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined
  if (schema.type !== 'array' && !isMap) return own
  const most = isMap ? schema.maxProperties : schema.maxItems
  return own === undefined || most === undefined ? undefined : own * Math.max(0, most)
}

/** Collects the costs of the rules of one schema. */
export class RuleCosts {
  #total = 0
  readonly #expensive: { readonly path: string; readonly cost: number }[] = []

  /** The errors of one rule. `path` is that of the rule. */
  add(path: string, { program, message }: CompiledRule, schema: JsonSchema, isResource: boolean, occurrences: Occurrences): FieldError[] {
    const errors: FieldError[] = []
    if (program === undefined) return errors
    const sized = sizedType(schema, isResource)
    const add = (field: string, name: string, cost: number) => {
      if (cost > perRuleLimit) errors.push(forbidden(`${path}.${field}`, costMessage(name, cost, perRuleLimit)))
      this.#observe(`${path}.${field}`, cost)
    }
    add('rule', 'estimated rule cost', estimateCost(program.expression, sized).max * (occurrences ?? maxOccurrences(schema, isResource)))
    if (message !== undefined) add('messageExpression', 'estimated messageExpression cost', estimateCost(message.expression, sized).max)
    return errors
  }

  #observe(path: string, cost: number): void {
    this.#total += cost
    if (cost < perSchemaLimit / 100) return
    this.#expensive.push({ path, cost })
    this.#expensive.sort((one, other) => other.cost - one.cost)
    this.#expensive.length = Math.min(this.#expensive.length, maxNamed)
  }

  /** The errors of all rules together. `path` is that of the schema. */
  totalErrors(path: string): FieldError[] {
    if (this.#total <= perSchemaLimit) return []
    const contributed = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema'
    return [
      ...this.#expensive.map((rule) => forbidden(rule.path, contributed)),
      forbidden(path, costMessage(name, this.#total, perSchemaLimit)),
    ]
  }
}

function costMessage(name: string, cost: number, limit: number): string {
  const times = cost / limit
  const factor = times > 100 ? 'more than 100x' : times < 1.5 ? `${times.toFixed(6)}x` : `${times.toFixed(1)}x`
  const advice = 'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared'
  return `${name} exceeds budget by factor of ${factor} (${advice})`
}
