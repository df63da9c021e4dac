// The expressions of a configuration are compiled before it is stored, so that a mistake is reported to its author.
// Kubernetes: pkg/apis/admissionregistration/validation.validateCELCondition, validateMatchConditionsExpression
// Kubernetes: pkg/apis/admissionregistration/validation.validateMutatingAdmissionPolicySpec, validateValidatingAdmissionPolicySpec
import { type FieldError, invalid } from '../../../api/machinery/field-error.ts'
import type { CelType, ExpressionContext, ResultType } from './expressions.ts'

interface Condition {
  readonly expression: string
}

interface Configured {
  readonly webhooks?: readonly { readonly matchConditions?: readonly Condition[] }[]
  readonly spec?: {
    readonly paramKind?: object
    readonly matchConditions?: readonly Condition[]
    readonly variables?: readonly (Condition & { readonly name: string })[]
    readonly validations?: readonly (Condition & { readonly messageExpression?: string })[]
    readonly auditAnnotations?: readonly { readonly valueExpression: string }[]
    readonly mutations?: readonly { readonly applyConfiguration?: Partial<Condition>; readonly jsonPatch?: Partial<Condition> }[]
  }
}

interface WrittenExpression {
  readonly path: string
  readonly expression: string
  readonly result: ResultType
  readonly context: Omit<ExpressionContext, 'variables'> & { readonly readsVariables: boolean }
  /** The variable of the policy that it defines. */
  readonly variable?: string
}

/** In the order in which Kubernetes checks them: variables before the expressions that read them. */
function expressionsOf({ webhooks = [], spec = {} }: Configured): WrittenExpression[] {
  const found: WrittenExpression[] = []
  const hasParams = spec.paramKind !== undefined
  // A validating policy can read `variables` only if it declares some, a mutating policy always.
  const inPolicy = { hasParams, hasAuthorizer: true, makesPatch: false, readsVariables: !!spec.variables?.length || !!spec.mutations }
  const add = (path: string, expression: string | undefined, result: ResultType, context: WrittenExpression['context'] = inPolicy) => {
    if (expression?.trim()) found.push({ path, expression, result, context })
  }
  const addConditions = (path: string, conditions: readonly Condition[] = []) => {
    for (const [i, { expression }] of conditions.entries())
      add(`${path}matchConditions[${i}].expression`, expression, 'bool', { ...inPolicy, readsVariables: false })
  }
  for (const [i, { matchConditions }] of webhooks.entries()) addConditions(`webhooks[${i}].`, matchConditions)
  addConditions('spec.', spec.matchConditions)
  for (const [i, { name, expression }] of (spec.variables ?? []).entries())
    if (expression?.trim())
      found.push({ path: `spec.variables[${i}].expression`, expression, result: 'any', context: inPolicy, variable: name })
  for (const [i, { expression, messageExpression }] of (spec.validations ?? []).entries()) {
    add(`spec.validations[${i}].expression`, expression, 'bool')
    add(`spec.validations[${i}].messageExpression`, messageExpression, 'string', { ...inPolicy, hasAuthorizer: false })
  }
  for (const [i, { valueExpression }] of (spec.auditAnnotations ?? []).entries())
    add(`spec.auditAnnotations[${i}].valueExpression`, valueExpression?.trim(), 'annotation')
  const patches = { ...inPolicy, makesPatch: true }
  for (const [i, { applyConfiguration, jsonPatch }] of (spec.mutations ?? []).entries()) {
    add(`spec.mutations[${i}].applyConfiguration.expression`, applyConfiguration?.expression?.trim(), 'object', patches)
    add(`spec.mutations[${i}].jsonPatch.expression`, jsonPatch?.expression?.trim(), 'patches', patches)
  }
  return found
}

interface Selector {
  readonly cel?: { readonly expression?: string }
}
interface Request {
  readonly exactly?: { readonly selectors?: readonly Selector[] }
  readonly firstAvailable?: readonly { readonly selectors?: readonly Selector[] }[]
}
interface WithSelectors {
  readonly spec?: {
    readonly selectors?: readonly Selector[]
    readonly devices?: { readonly requests?: readonly Request[] }
    readonly spec?: { readonly devices?: { readonly requests?: readonly Request[] } }
  }
}

/** The device selectors of a DeviceClass, ResourceClaim or ResourceClaimTemplate, by their paths. */
function selectorsOf({ spec = {} }: WithSelectors): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const add = (path: string, selectors: readonly Selector[] | null | undefined) => {
    for (const [i, { cel }] of (selectors ?? []).entries())
      if (cel !== undefined) found.set(`${path}.selectors[${i}].cel.expression`, cel.expression ?? '')
  }
  add('spec', spec.selectors)
  for (const [path, devices] of [
    ['spec.devices', spec.devices],
    ['spec.spec.devices', spec.spec?.devices],
  ] as const)
    for (const [i, { exactly, firstAvailable }] of (devices?.requests ?? []).entries()) {
      add(`${path}.requests[${i}].exactly`, exactly?.selectors)
      for (const [j, { selectors }] of (firstAvailable ?? []).entries()) add(`${path}.requests[${i}].firstAvailable[${j}]`, selectors)
    }
  return found
}

const maxSelector = 10 * 1024

/** Selectors that the stored version already has are not reported; neither are those with `cel.bind`, which is not implemented. */
export async function findSelectorErrors(next: object, current: object | undefined): Promise<FieldError[]> {
  const known = new Set(current && selectorsOf(current as WithSelectors).values())
  const written = [...selectorsOf(next as WithSelectors)].filter(
    ([, expression]) => !known.has(expression) && expression.length <= maxSelector && !expression.includes('cel.bind('),
  )
  if (written.length === 0) return []
  const { checkDeviceSelector, ResultError } = await import('./expressions.ts')
  return written.flatMap(([path, expression]) => {
    try {
      checkDeviceSelector(expression)
      return []
    } catch (error) {
      const { message } = error as Error
      return [invalid(path, expression, error instanceof ResultError ? message : `compilation failed: ${message}`)]
    }
  })
}

/** Expressions of an update that the stored version already has are not reported. */
export async function findExpressionErrors(next: object, current: object | undefined): Promise<FieldError[]> {
  const known = new Set(current && expressionsOf(current as Configured).map(({ result, expression }) => `${result} ${expression}`))
  const written = expressionsOf(next as Configured)
  const isKnown = ({ result, expression }: WrittenExpression) => known.has(`${result} ${expression}`)
  if (written.every(isKnown)) return []
  const { checkExpression, dyn, InstantiationError, ResultError } = await import('./expressions.ts')
  const variables = new Map<string, CelType>()
  const errors: FieldError[] = []
  for (const one of written) {
    const { path, expression, result, context, variable } = one
    let type: CelType = dyn
    try {
      type = checkExpression(expression, result, { ...context, variables: context.readsVariables ? variables : undefined })
    } catch (error) {
      const { message } = error as Error
      if (isKnown(one)) continue
      if (error instanceof ResultError) errors.push(invalid(path, expression, message))
      else if (error instanceof InstantiationError)
        errors.push({ type: 'InternalError', field: path, detail: `program instantiation failed: ${message}` })
      else errors.push(invalid(path, expression, `compilation failed: ${message}`))
    } finally {
      if (variable !== undefined) variables.set(variable, type)
    }
  }
  return errors
}
