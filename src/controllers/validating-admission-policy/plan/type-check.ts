// The types of the expressions of a policy, for each kind that it names: what Kubernetes reports in status.typeChecking. Pure.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/policy/validating.TypeChecker.*
import {
  namespaceType,
  objectOf,
  requestType,
} from '../../../api/kinds/admissionregistration/validating-admission-policy/expression-types.ts'
import { authorizerType, type CelType, CompileError, compile, dyn } from '../../../api/machinery/cel/cel.ts'
import { apiVersionOf, type Kind } from '../../../api/machinery/kind.ts'
import { kindType } from '../../../api/machinery/structural/kind-type.ts'
import type { ValidatingAdmissionPolicy } from '../../../api/types.ts'

type Spec = NonNullable<ValidatingAdmissionPolicy['spec']>

interface ExpressionWarning {
  readonly fieldRef: string
  readonly warning: string
}

/** Kubernetes checks this many kinds of a rule. */
const maxKinds = 10

export function findTypeWarnings({ spec = {} }: ValidatingAdmissionPolicy, kinds: readonly Kind[]): ExpressionWarning[] {
  const environments = kindsToCheck(spec, kinds).map((kind) => [kind, environmentOf(spec, kind, kinds)] as const)
  const warnings: ExpressionWarning[] = []
  const add = (fieldRef: string, expression: string | undefined) => {
    if (!expression) return
    const problems = environments.flatMap(([kind, variables]) => {
      const problem = problemOf(expression, variables)
      return problem === undefined ? [] : [`${kind.group}/${kind.version}, Kind=${kind.kind}: ${problem}\n`]
    })
    if (problems.length > 0) warnings.push({ fieldRef, warning: problems.join('\n') })
  }
  for (const [at, { expression, messageExpression }] of (spec.validations ?? []).entries()) {
    add(`spec.validations[${at}].expression`, expression)
    add(`spec.validations[${at}].messageExpression`, messageExpression)
  }
  return warnings
}

type Variables = Readonly<Record<string, CelType>>

function problemOf(expression: string, variables: Variables): string | undefined {
  try {
    compile(expression, { variables })
    return undefined
  } catch (error) {
    return error instanceof CompileError ? error.message : undefined
  }
}

function environmentOf({ paramKind, variables: declared = [] }: Spec, kind: Kind, kinds: readonly Kind[]): Variables {
  const object = kindType(kind)
  const params = paramKind && kinds.find((one) => apiVersionOf(one) === paramKind.apiVersion && one.kind === paramKind.kind)
  const own = new Map<string, CelType>()
  const variables = {
    object,
    oldObject: object,
    request: requestType,
    namespaceObject: namespaceType,
    authorizer: authorizerType,
    variables: objectOf('kubernetes.variables', own),
    ...(paramKind !== undefined && { params: params === undefined ? dyn : kindType(params) }),
  }
  for (const { name, expression } of declared) own.set(name, typeOf(expression, variables))
  return variables
}

function typeOf(expression: string, variables: Variables): CelType {
  try {
    return compile(expression, { variables }).type
  } catch (error) {
    if (!(error instanceof CompileError)) throw error
    return dyn
  }
}

/** The kinds that the rules name without wildcards. The group of core stands for any group, as in kubectl. */
function kindsToCheck({ matchConstraints }: Spec, kinds: readonly Kind[]): readonly Kind[] {
  const found = new Set<Kind>()
  for (const { apiGroups = [], apiVersions = [], resources = [] } of matchConstraints?.resourceRules ?? []) {
    if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) continue
    let count = 0
    for (const group of [...apiGroups].sort())
      for (const version of [...apiVersions].sort())
        for (const resource of resources.filter((name) => !/[*/]/.test(name)).sort())
          for (const kind of kinds) {
            if (kind.plural !== resource || kind.version !== version || (group !== '' && kind.group !== group)) continue
            found.add(kind)
            if (++count === maxKinds) return sorted(found)
          }
  }
  return sorted(found)
}

const sortKey = ({ group, version, kind }: Kind) => `${group} ${version} ${kind}`
const sorted = (kinds: Iterable<Kind>) => [...kinds].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
