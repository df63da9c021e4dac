// Expressions of match conditions and policies: compiled once for each configuration, evaluated for each request. Loaded with the
// first configuration that has one.
import {
  namespaceType,
  objectOf,
  patchType,
  requestType,
  resultName,
} from '../../../api/kinds/admissionregistration/validating-admission-policy/expression-types.ts'
import {
  AuthorizationCheck,
  type AuthorizationSource,
  authorizerType,
  type Budget,
  bool,
  type CelType,
  compile,
  dyn,
  type Functions,
  LiteralMap,
  mapOf,
  opaque,
  type Program,
  resourceCheckType,
  string,
} from '../../../api/machinery/cel/cel.ts'
import { apiVersionOf } from '../../../api/machinery/kind.ts'
import type { Authorizer } from '../../auth/authorizer.ts'
import type { RequestAttributes } from '../../auth/policy-rules.ts'
import { serviceAccountGroups, serviceAccountUser } from '../../auth/service-account-names.ts'
import type { Caller } from '../../rest/rest.ts'
import { type AdmissionAttributes, describeRequest, withKind } from './attributes.ts'

export {
  Budget,
  CelList,
  type CelType,
  CompileError,
  dyn,
  EvaluationError,
  InstantiationError,
  StructValue,
  toJson,
} from '../../../api/machinery/cel/cel.ts'

/** Answers the checks of a user: `authorizer.group('').resource('pods').check('get')`. */
const authorizationOf = (authorizer: Authorizer, caller: Caller): AuthorizationSource => ({
  decide(verb, { group = '', resource = '', subresource = '', namespace = '', name = '', path }) {
    const request: RequestAttributes = path === undefined ? { verb, group, resource, subresource, namespace, name } : { verb, path }
    return authorizer.authorize(caller, request)
  },
  asServiceAccount(namespace, name) {
    const groups = [...serviceAccountGroups(namespace), 'system:authenticated']
    return authorizationOf(authorizer, { name: serviceAccountUser(namespace, name), groups })
  },
})

const escapeKey = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

const patchFunctions: Functions = { 'jsonpatch.escapeKey': [{ isMember: false, args: [string], result: string, call: escapeKey as never }] }

/** `Object`, `Object.spec`, … and `JSONPatch`, of which a mutation makes its result. */
const structOf = (name: string): CelType | undefined => {
  if (name === 'JSONPatch') return patchType
  return name === 'Object' || name.startsWith('Object.')
    ? { kind: 'object', name, fieldOf: (field) => ({ type: dyn, jsonName: field }) }
    : undefined
}

const always = { object: dyn, oldObject: dyn, request: requestType, namespaceObject: namespaceType }
const authorizerVariables = { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType }

/** Compiles an expression that was accepted when it was written. Throws CompileError. */
export function compileExpression(source: string): Program {
  const variables = { ...always, ...authorizerVariables, params: dyn, variables: dyn }
  return compile(source, { variables, functions: patchFunctions, structOf })
}

/** What an expression may read, by its place in the configuration. */
export interface ExpressionContext {
  readonly hasParams: boolean
  readonly hasAuthorizer: boolean
  /** It makes a mutation. */
  readonly makesPatch: boolean
  /** The types of the variables that the policy declares before it. Undefined: it cannot read variables. */
  readonly variables: ReadonlyMap<string, CelType> | undefined
}

export type ResultType = 'bool' | 'string' | 'annotation' | 'object' | 'patches' | 'any'

const wantedTypes: Readonly<Record<ResultType, readonly string[]>> = {
  bool: ['bool'],
  string: ['string'],
  annotation: ['string', 'null_type'],
  object: ['Object'],
  patches: ['list(JSONPatch)'],
  any: [],
}

/** The type of a new expression. Throws CompileError, InstantiationError, and ResultError for a result of another type. */
export function checkExpression(source: string, result: ResultType, context: ExpressionContext): CelType {
  const { hasParams, hasAuthorizer, makesPatch } = context
  const variables = {
    ...always,
    ...(hasAuthorizer && authorizerVariables),
    ...(hasParams && { params: dyn }),
    ...(context.variables !== undefined && { variables: objectOf('kubernetes.variables', context.variables) }),
  }
  const { type } = compile(source, { variables, ...(makesPatch && { functions: patchFunctions, structOf }) })
  const wanted = wantedTypes[result]
  const found = resultName(type)
  if (wanted.length === 0 || wanted.includes(found)) return type
  const shown = wanted.length === 1 ? wanted[0] : `one of [${wanted.join(' ')}]`
  throw new ResultError(`must evaluate to ${shown} but got ${found}`)
}

export class ResultError extends Error {}

// Kubernetes: k8s.io/dynamic-resource-allocation/cel.newCompiler
/** What a selector of devices reads. */
const deviceType = objectOf(
  'kubernetes.DRADevice',
  new Map([
    ['driver', string],
    ['attributes', mapOf(string, mapOf(string, dyn))],
    ['capacity', mapOf(string, mapOf(string, opaque('kubernetes.Quantity')))],
    ['allowMultipleAllocations', bool],
  ]),
)

/** Throws CompileError, InstantiationError, and ResultError for a result that is no condition. */
export function checkDeviceSelector(source: string): void {
  const { type } = compile(source, { variables: { device: deviceType } })
  const found = resultName(type)
  if (found !== 'bool' && found !== 'dyn') throw new ResultError(`must evaluate to bool or the unknown type, not ${found}`)
}

export type { Program }

/** The variables of a policy are evaluated when an expression first reads them. */
class LazyVariables extends LiteralMap {
  readonly #programs: ReadonlyMap<string, Program>
  readonly #known = new Map<string, unknown>()
  readonly #evaluate: (program: Program) => unknown

  constructor(programs: ReadonlyMap<string, Program>, evaluate: (program: Program) => unknown) {
    super()
    this.#programs = programs
    this.#evaluate = evaluate
  }

  override get size(): number {
    return this.#programs.size
  }

  override get(key: unknown): unknown {
    if (typeof key !== 'string') return undefined
    if (this.#known.has(key)) return this.#known.get(key)
    const program = this.#programs.get(key)
    if (program === undefined) return undefined
    const value = this.#evaluate(program)
    this.#known.set(key, value)
    return value
  }
}

/** Evaluates expressions for one request. */
export function createEvaluation(
  attributes: AdmissionAttributes,
  authorizer: Authorizer,
  budget: Budget,
  programs: ReadonlyMap<string, Program> = new Map(),
  params?: object | null,
): (program: Program) => unknown {
  const { resource, subresource, namespace, name, caller, namespaceObject } = attributes
  const root = new AuthorizationCheck(authorizerType, authorizationOf(authorizer, caller))
  const asked = { group: resource.group, resource: resource.plural, subresource, namespace, name }
  const values: Record<string, unknown> = {
    object: withKind(attributes, attributes.object),
    oldObject: withKind(attributes, attributes.oldObject),
    request: describeRequest(attributes),
    params: params ?? null,
    namespaceObject:
      namespaceObject === undefined
        ? null
        : { ...namespaceObject, kind: 'Namespace', apiVersion: apiVersionOf({ group: '', version: 'v1' }) },
    authorizer: root,
    'authorizer.requestResource': root.with(asked, resourceCheckType),
  }
  const evaluate = (program: Program): unknown => program.evaluate(values, budget)
  values['variables'] = new LazyVariables(programs, evaluate)
  return evaluate
}
