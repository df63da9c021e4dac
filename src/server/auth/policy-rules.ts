// What a rule of a role allows, and whether rules cover other rules. Pure.
// Kubernetes: pkg/apis/rbac/v1.VerbMatches, ResourceMatches, APIGroupMatches, ResourceNameMatches, NonResourceURLMatches, CompactString
// Kubernetes: k8s.io/component-helpers/auth/rbac/validation.Covers, ruleCovers
// Kubernetes: pkg/registry/rbac/validation.CompactRules
import type { PolicyRule } from '../../api/types.ts'

/** A request for a resource, as authorizers see it. */
export interface ResourceAttributes {
  readonly verb: string
  readonly group: string
  readonly version?: string
  readonly resource: string
  /** '' without one. */
  readonly subresource: string
  /** '' at the cluster scope, and for all namespaces. */
  readonly namespace: string
  /** '' for requests that name no object. */
  readonly name: string
}

/** A request for anything but a resource: `get /healthz`. */
interface PathAttributes {
  readonly verb: string
  readonly path: string
}

export type RequestAttributes = ResourceAttributes | PathAttributes

const has = (values: readonly string[] | undefined, value: string) => values?.includes(value) === true
const hasOrAll = (values: readonly string[] | undefined, value: string) => has(values, '*') || has(values, value)

export function isAllowedBy(rule: PolicyRule, request: RequestAttributes): boolean {
  if (!hasOrAll(rule.verbs, request.verb)) return false
  if ('path' in request) return (rule.nonResourceURLs ?? []).some((url) => urlMatches(url, request.path))
  const { group, resource, subresource, name } = request
  const names = rule.resourceNames ?? []
  return (
    hasOrAll(rule.apiGroups, group) &&
    (rule.resources ?? []).some((one) => resourceMatches(one, resource, subresource)) &&
    (names.length === 0 || names.includes(name))
  )
}

function resourceMatches(rule: string, resource: string, subresource: string): boolean {
  if (rule === '*') return true
  if (subresource === '') return rule === resource
  return rule === `${resource}/${subresource}` || rule === `*/${subresource}`
}

/** `/healthz/*` matches all paths below. */
function urlMatches(rule: string, path: string): boolean {
  return rule === '*' || rule === path || (rule.endsWith('*') && path.startsWith(rule.replace(/\*+$/, '')))
}

/** The parts of `wanted` that no rule of `held` covers, each with one verb, group, resource and name, or one verb and URL. */
export function findUncovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(breakDown).filter((part) => !held.some((rule) => coversPart(rule, part)))
}

function breakDown({ verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule): PolicyRule[] {
  const parts: PolicyRule[] = []
  for (const group of apiGroups)
    for (const resource of resources)
      for (const verb of verbs) {
        const part = { verbs: [verb], apiGroups: [group], resources: [resource] }
        if (resourceNames.length === 0) parts.push(part)
        for (const name of resourceNames) parts.push({ ...part, resourceNames: [name] })
      }
  for (const url of nonResourceURLs) for (const verb of verbs) parts.push({ verbs: [verb], nonResourceURLs: [url] })
  return parts
}

function coversPart(rule: PolicyRule, part: PolicyRule): boolean {
  if (!hasOrAll(rule.verbs, part.verbs[0]!)) return false
  const url = part.nonResourceURLs?.[0]
  if (url !== undefined) return (rule.nonResourceURLs ?? []).some((one) => urlMatches(one, url))
  const [resource = '', subresource = ''] = part.resources![0]!.split('/')
  const name = part.resourceNames?.[0]
  const names = rule.resourceNames ?? []
  return (
    hasOrAll(rule.apiGroups, part.apiGroups![0]!) &&
    (rule.resources ?? []).some((one) => resourceMatches(one, resource, subresource)) &&
    (names.length === 0 || (name !== undefined && names.includes(name)))
  )
}

/** Parts that differ in their verbs only become one rule. */
export function compactRules(parts: readonly PolicyRule[]): PolicyRule[] {
  const compact = new Map<string, PolicyRule>()
  for (const part of parts) {
    const { verbs, ...rest } = part
    const key = JSON.stringify(rest)
    const known = compact.get(key)
    if (known === undefined) compact.set(key, part)
    else if (!known.verbs.includes(verbs[0]!)) compact.set(key, { ...known, verbs: [...known.verbs, ...verbs] })
  }
  return [...compact.values()]
}

/** `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`, as Kubernetes prints a rule. */
export function formatRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const fields = {
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs,
  }
  const shown = Object.entries(fields).flatMap(([name, values]) =>
    values?.length ? [`${name}:[${values.map((one) => JSON.stringify(one)).join(' ')}]`] : [],
  )
  return `{${shown.join(', ')}}`
}
