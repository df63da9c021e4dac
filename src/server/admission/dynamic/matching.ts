// Whether a webhook or policy applies to a request: rules and selectors. Pure.
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules.Matcher.*
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/namespace.Matcher.MatchNamespaceSelector
// Kubernetes: k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/object.Matcher.MatchObjectSelector
import type { LabelSelector } from '../../../api/types.ts'
import { matchesLabels, selectorRequirements } from '../../../base/label-selector.ts'
import type { AdmissionAttributes } from './attributes.ts'

export interface Rule {
  readonly operations?: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly apiVersions?: readonly string[]
  readonly resources?: readonly string[]
  readonly scope?: string
  readonly resourceNames?: readonly string[]
}

export interface Selectors {
  readonly namespaceSelector?: LabelSelector
  readonly objectSelector?: LabelSelector
}

export interface MatchResources extends Selectors {
  readonly matchPolicy?: string
  readonly resourceRules?: readonly Rule[]
  readonly excludeResourceRules?: readonly Rule[]
}

const hasOrAll = (values: readonly string[] | undefined, value: string) =>
  values?.includes('*') === true || values?.includes(value) === true

/** The parts of a request that a rule is compared with. */
type Asked = Pick<AdmissionAttributes, 'operation' | 'resource' | 'subresource' | 'name'>

export function matchesRule(rule: Rule, asked: Asked): boolean {
  const { group, version, plural, namespaced } = asked.resource
  const scope = rule.scope ?? '*'
  return (
    (scope === '*' || (scope === 'Namespaced') === namespaced) &&
    hasOrAll(rule.operations, asked.operation) &&
    hasOrAll(rule.apiGroups, group) &&
    hasOrAll(rule.apiVersions, version) &&
    (rule.resources ?? []).some((one) => matchesResource(one, plural, asked.subresource)) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(asked.name))
  )
}

// `*` means all resources without their subresources, `*/*` all resources with their subresources.
function matchesResource(rule: string, plural: string, subresource: string): boolean {
  const [resource, below = ''] = rule.split('/')
  return (resource === '*' || resource === plural) && (below === '*' || below === subresource)
}

const isEmpty = (selector: LabelSelector | undefined) =>
  selector === undefined || (Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions?.length ?? 0) === 0)

const selects = (selector: LabelSelector | undefined, labels: Readonly<Record<string, string>> | undefined) => {
  const requirements = selectorRequirements(selector)
  return requirements !== undefined && matchesLabels(requirements, labels)
}

export function matchesSelectors({ namespaceSelector, objectSelector }: Selectors, attributes: AdmissionAttributes): boolean {
  const { object, oldObject } = attributes
  if (!isEmpty(namespaceSelector) && !selectsNamespace(namespaceSelector, attributes)) return false
  if (isEmpty(objectSelector)) return true
  return [object, oldObject].some((one) => one !== undefined && selects(objectSelector, one.metadata?.labels))
}

/** Cluster-scoped objects are always selected, except for Namespaces, which are selected by their own labels. */
const selectsNamespace = (selector: LabelSelector | undefined, { selectedNamespace }: AdmissionAttributes): boolean =>
  selectedNamespace === undefined || selects(selector, selectedNamespace.metadata?.labels)
