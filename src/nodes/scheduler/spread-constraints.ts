// Parses topology spread constraints.
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.PodTopologySpread.buildDefaultConstraints
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.PodTopologySpread.filterTopologySpreadConstraints
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.PodTopologySpread.getConstraints, systemDefaultConstraints
// Kubernetes: pkg/scheduler/framework/plugins/podtopologyspread.mergeLabelSetWithSelector

import type { PodSpec } from '../../api/types.ts'
import { type LabelRequirements, type Labels, selectorRequirements } from '../../base/label-selector.ts'
import { getOrAdd } from '../../base/maps.ts'
import { type PodQuery, selects } from './pod-counts.ts'

type Constraint = NonNullable<PodSpec['topologySpreadConstraints']>[number]

export interface SpreadConstraint {
  readonly topologyKey: string
  readonly maxSkew: number
  readonly minDomains: number
  readonly selector: LabelRequirements | undefined
  /** Nodes that the pod's node affinity excludes are counted as well. */
  readonly ignoresAffinity: boolean
  readonly honoursTaints: boolean
}

export interface SpreadRules {
  readonly hard: readonly SpreadConstraint[]
  readonly soft: readonly SpreadConstraint[]
}

const noSpread: SpreadRules = { hard: [], soft: [] }

export function readSpread({ topologySpreadConstraints: all }: Pick<PodSpec, 'topologySpreadConstraints'>, labels: Labels): SpreadRules {
  if (!all?.length) return noSpread
  const of = (action: string) =>
    all.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === action).map((one) => readConstraint(one, labels))
  return { hard: of('DoNotSchedule'), soft: of('ScheduleAnyway') }
}

function readConstraint(constraint: Constraint, labels: Labels): SpreadConstraint {
  const { topologyKey, maxSkew, minDomains = 1, labelSelector, matchLabelKeys = [], nodeAffinityPolicy, nodeTaintsPolicy } = constraint
  const selector = selectorRequirements(labelSelector)
  const own = matchLabelKeys.filter((key) => Object.hasOwn(labels, key))
  return {
    topologyKey,
    maxSkew,
    minDomains,
    selector: selector && [...selector, ...own.map((key) => ({ key, operator: '=' as const, values: [labels[key]!] }))],
    ignoresAffinity: nodeAffinityPolicy === 'Ignore',
    honoursTaints: nodeTaintsPolicy === 'Honor',
  }
}

/** The default constraints of kube-scheduler: spread over hosts, and less strictly over zones. */
export function defaultSpreadConstraints(selector: LabelRequirements): readonly SpreadConstraint[] {
  const rest = { minDomains: 1, selector, ignoresAffinity: false, honoursTaints: false }
  return [
    { topologyKey: hostKey, maxSkew: 3, ...rest },
    { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5, ...rest },
  ]
}

export const hostKey = 'kubernetes.io/hostname'

/** Cached by selector: pods with the same controller share one selector object. */
const queries = new WeakMap<LabelRequirements, Map<string, PodQuery>>()

/** The pods that a constraint counts: in the same namespace, and not terminating. An empty selector selects none. */
export function podsCountedBySpread(namespace: string, selector: LabelRequirements | undefined): PodQuery {
  if (selector === undefined) return queryOf(namespace, undefined)
  const byNamespace = getOrAdd(queries, selector, () => new Map<string, PodQuery>())
  return getOrAdd(byNamespace, namespace, () => queryOf(namespace, selector))
}

function queryOf(namespace: string, selector: LabelRequirements | undefined): PodQuery {
  const isEmpty = selector === undefined || selector.length === 0
  return {
    key: `spread:${JSON.stringify([namespace, selector ?? null])}`,
    namespaces: new Set([namespace]),
    matches: (traits) => !isEmpty && !traits.isTerminating && traits.namespace === namespace && selects(selector, traits.labels),
  }
}
