// What the rules of a definition are estimated to cost. Kubernetes refuses definitions whose rules could take too long.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel.compileRule, maxCardinality
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation.RootCELContext, CELSchemaContext.*, TotalCost.*
import { estimateCost } from '../cel/cel.ts'
import { type FieldError, forbidden } from '../field-error.ts'
import type { JsonSchema } from './definition.ts'
import { maxOccurrences, sizedType } from './rule-sizes.ts'
import type { CompiledRule } from './rules.ts'

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
