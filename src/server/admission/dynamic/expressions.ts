// Expressions of match conditions and policies: compiled once for each configuration, evaluated for each request. Loaded with the
// first configuration that has one.
import {
  type Budget,
  bool,
  type CelType,
  compile,
  dyn,
  type Functions,
  LiteralMap,
  listOf,
  member,
  OpaqueValue,
  opaque,
  type Program,
  string,
} from '../../../api/machinery/cel/cel.ts'
import { apiVersionOf } from '../../../api/machinery/kind.ts'
import type { Authorizer, Decision } from '../../auth/authorizer.ts'
import type { RequestAttributes } from '../../auth/policy-rules.ts'
import { serviceAccountGroups, serviceAccountUser } from '../../auth/service-account-names.ts'
import type { Caller } from '../../rest/rest.ts'
import { type AdmissionAttributes, describeRequest, withKind } from './attributes.ts'

export { Budget, CelList, CompileError, EvaluationError, StructValue, toJson } from '../../../api/machinery/cel/cel.ts'

/** The check of one request, as expressions build it: `authorizer.group('').resource('pods').check('get')`. */
class Check extends OpaqueValue {
  readonly typeName: string
  readonly authorizer: Authorizer
  readonly caller: Caller
  readonly asked: Partial<Record<'group' | 'resource' | 'subresource' | 'namespace' | 'name' | 'path', string>>

  constructor(typeName: string, authorizer: Authorizer, caller: Caller, asked: Check['asked'] = {}) {
    super()
    this.typeName = typeName
    this.authorizer = authorizer
    this.caller = caller
    this.asked = asked
  }

  with(asked: Check['asked'], typeName = this.typeName): Check {
    return new Check(typeName, this.authorizer, this.caller, { ...this.asked, ...asked })
  }

  decide(verb: string): DecisionValue {
    const { group = '', resource = '', subresource = '', namespace = '', name = '', path } = this.asked
    const request: RequestAttributes = path === undefined ? { verb, group, resource, subresource, namespace, name } : { verb, path }
    return new DecisionValue(this.authorizer.authorize(this.caller, request))
  }

  equals(other: OpaqueValue): boolean {
    return other === this
  }
}

class DecisionValue extends OpaqueValue {
  readonly typeName = 'kubernetes.authorization.Decision'
  readonly decision: Decision

  constructor(decision: Decision) {
    super()
    this.decision = decision
  }

  equals(other: OpaqueValue): boolean {
    return other === this
  }
}

const prefix = 'kubernetes.authorization'
const authorizerType = opaque(`${prefix}.Authorizer`)
const pathType = opaque(`${prefix}.PathCheck`)
const groupType = opaque(`${prefix}.GroupCheck`)
const resourceType = opaque(`${prefix}.ResourceCheck`)
const decisionType = opaque(`${prefix}.Decision`)

const authorization: Functions = {
  path: [member([authorizerType, string], pathType, (check: Check, path: string) => check.with({ path }, `${prefix}.PathCheck`))],
  group: [member([authorizerType, string], groupType, (check: Check, group: string) => check.with({ group }, `${prefix}.GroupCheck`))],
  serviceAccount: [
    member([authorizerType, string, string], authorizerType, (check: Check, namespace: string, name: string) => {
      const groups = [...serviceAccountGroups(namespace), 'system:authenticated']
      return new Check(check.typeName, check.authorizer, { name: serviceAccountUser(namespace, name), groups })
    }),
  ],
  resource: [
    member([groupType, string], resourceType, (check: Check, resource: string) => check.with({ resource }, `${prefix}.ResourceCheck`)),
  ],
  subresource: [member([resourceType, string], resourceType, (check: Check, subresource: string) => check.with({ subresource }))],
  namespace: [member([resourceType, string], resourceType, (check: Check, namespace: string) => check.with({ namespace }))],
  name: [member([resourceType, string], resourceType, (check: Check, name: string) => check.with({ name }))],
  fieldSelector: [member([resourceType, string], resourceType, (check: Check) => check)],
  labelSelector: [member([resourceType, string], resourceType, (check: Check) => check)],
  check: [
    member([pathType, string], decisionType, (check: Check, verb: string) => check.decide(verb)),
    member([resourceType, string], decisionType, (check: Check, verb: string) => check.decide(verb)),
  ],
  allowed: [member([decisionType], bool, ({ decision }: DecisionValue) => decision.allowed)],
  reason: [member([decisionType], string, ({ decision }: DecisionValue) => decision.reason)],
  errored: [member([decisionType], bool, () => false)],
  error: [member([decisionType], string, () => '')],
}

const escapeKey = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

const patchFunctions: Functions = { 'jsonpatch.escapeKey': [{ isMember: false, args: [string], result: string, call: escapeKey as never }] }

/** `Object`, `Object.spec`, … and `JSONPatch`, of which a mutation makes its result. */
const structOf = (name: string): CelType | undefined =>
  name === 'Object' || name === 'JSONPatch' || name.startsWith('Object.')
    ? { kind: 'object', name, fieldOf: (field) => ({ type: dyn, jsonName: field }) }
    : undefined

const variables = {
  object: dyn,
  oldObject: dyn,
  request: dyn,
  params: dyn,
  namespaceObject: dyn,
  variables: dyn,
  authorizer: authorizerType,
  'authorizer.requestResource': resourceType,
}

export type ResultType = 'bool' | 'string' | 'object' | 'patches' | 'any'

const wantedTypes: Readonly<Record<ResultType, CelType | undefined>> = {
  bool,
  string: undefined,
  object: undefined,
  patches: listOf(dyn),
  any: undefined,
}

/** Throws CompileError. */
export function compileExpression(source: string, result: ResultType): Program {
  return compile(source, { variables, functions: { ...authorization, ...patchFunctions }, structOf }, wantedTypes[result])
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
  const root = new Check(`${prefix}.Authorizer`, authorizer, caller)
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
    'authorizer.requestResource': root.with(asked, `${prefix}.ResourceCheck`),
  }
  const evaluate = (program: Program): unknown => program.evaluate(values, budget)
  values['variables'] = new LazyVariables(programs, evaluate)
  return evaluate
}
