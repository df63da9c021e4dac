// The measures as rows to compare: what they are called, how they are written, and which outcome did best.

import { formatLength, formatLost, formatShare } from '../rollout/lengths.ts'
import { formatMoney } from '../rollout/output/settings-table.ts'
import type { Measures, Outcome, Policy } from '../rollout/result.ts'
import { formatNumber } from './format.ts'

export interface MeasureRow {
  readonly key: keyof Measures
  readonly label: string
  readonly about: string
  readonly better: 'lower' | 'higher'
  /** Shown only where some outcome has one. */
  readonly isOptional?: true
  format(value: number): string
}

const count = (value: number) => formatNumber(value)

export const measureRows: readonly MeasureRow[] = [
  { key: 'peakPods', label: 'Peak pods', about: 'Running and terminating, at the highest moment', better: 'lower', format: count },
  { key: 'peakOverCap', label: 'Over the cap', about: 'Pods beyond replicas + maxSurge, at most', better: 'lower', format: count },
  {
    key: 'availableAfterMs',
    label: 'Until available',
    about: 'Every pod of the new revision is available',
    better: 'lower',
    format: formatLength,
  },
  {
    key: 'oldGoneAfterMs',
    label: 'Until old pods are gone',
    about: 'The last pod of an old revision has ended',
    better: 'lower',
    format: formatLength,
  },
  { key: 'completeAfterMs', label: 'Until complete', about: 'The controller calls it complete', better: 'lower', format: formatLength },
  {
    key: 'lowestAvailability',
    label: 'Lowest availability',
    about: 'The fewest available pods, as a share of the replicas',
    better: 'higher',
    format: formatShare,
  },
  { key: 'podSeconds', label: 'Pod-seconds', about: 'Pods times the seconds they were there', better: 'lower', format: count },
  { key: 'peakNodes', label: 'Peak nodes', about: 'Nodes at the highest moment', better: 'lower', format: count },
  { key: 'nodeMinutes', label: 'Node-minutes', about: 'Nodes times the minutes they were there', better: 'lower', format: count },
  { key: 'cost', label: 'Cost', about: 'Of the nodes, at the given price', better: 'lower', format: formatMoney, isOptional: true },
  { key: 'waitedForRoom', label: 'Waited for room', about: 'Pods that waited for what other pods took', better: 'lower', format: count },
  {
    key: 'matchedNoNode',
    label: 'Matched no node',
    about: 'Pods whose selector, affinity, tolerations or claims no node matched',
    better: 'lower',
    isOptional: true,
    format: count,
  },
  { key: 'deadlinesPassed', label: 'Deadlines passed', about: 'Times that the progress deadline passed', better: 'lower', format: count },
  {
    key: 'lostLoad',
    label: 'Load not served',
    about: 'The share of the load beyond the capacity of the ready pods',
    better: 'lower',
    isOptional: true,
    format: formatLost,
  },
  {
    key: 'lostRequests',
    label: 'Requests not served',
    about: 'The same as a number of requests',
    better: 'lower',
    isOptional: true,
    format: count,
  },
  {
    key: 'smallestSize',
    label: 'Smallest size',
    about: 'The fewest replicas that the autoscaler asked for',
    better: 'lower',
    isOptional: true,
    format: count,
  },
  {
    key: 'largestSize',
    label: 'Largest size',
    about: 'The most replicas that the autoscaler asked for',
    better: 'lower',
    isOptional: true,
    format: count,
  },
  {
    key: 'rescales',
    label: 'Size changes',
    about: 'How often the autoscaler changed the size',
    better: 'lower',
    isOptional: true,
    format: count,
  },
  {
    key: 'oscillations',
    label: 'Oscillations',
    about: 'How often the autoscaler went back the other way although the load had not',
    better: 'lower',
    isOptional: true,
    format: count,
  },
  {
    key: 'peakWaiting',
    label: 'Waiting for the pacer',
    about: 'Pods with a scheduling gate, at the highest moment',
    better: 'lower',
    isOptional: true,
    format: count,
  },
  {
    key: 'neededDeadlineMs',
    label: 'Deadline to exceed',
    about: 'The longest time without progress: progressDeadlineSeconds has to be more',
    better: 'lower',
    isOptional: true,
    format: formatLength,
  },
]

export const policyTexts: Readonly<Record<Policy, { readonly name: string; readonly about: string }>> = {
  None: { name: 'No policy', about: 'As Kubernetes does it today' },
  TerminationStarted: { name: 'TerminationStarted', about: 'A new pod as soon as an old one is terminating' },
  TerminationComplete: { name: 'TerminationComplete', about: 'A new pod when an old one has terminated' },
  'TerminationComplete+terminatingAsActive': {
    name: 'TerminationComplete + terminatingAsActive',
    about: 'A new pod when an old one has terminated, also if another client deleted it',
  },
  Pacer: { name: 'No policy, with the pacer', about: 'As Kubernetes does it today, with rollcall pacer next to it' },
}

export const nameOf = ({ label, policy }: Pick<Outcome, 'label' | 'policy'>): string => label ?? policyTexts[policy].name

/** What an outcome is compared by: the middle of its runs, or its only one. */
export function comparedValue({ measures, spread }: Outcome, key: keyof Measures): number | undefined {
  return spread?.[key]?.p50 ?? measures[key]
}

export const isIncomplete = ({ stuck, measures }: Outcome) => stuck !== undefined || measures.completeAfterMs === undefined

/**
 * The outcomes that did best: none where all did the same, where it is a recording that is compared with its simulation
 * (there is nothing to choose), and never one that does not complete.
 */
export function bestOutcomes({ key, better, format, isOptional }: MeasureRow, outcomes: readonly Outcome[]): ReadonlySet<Outcome> {
  if (outcomes.some(({ label }) => label !== undefined)) return new Set()
  const values = outcomes.map((outcome) => (isIncomplete(outcome) ? undefined : comparedValue(outcome, key)))
  const known = values.filter((value) => value !== undefined)
  if (known.length < (isOptional ? 2 : 1)) return new Set()
  const best = format(better === 'lower' ? Math.min(...known) : Math.max(...known))
  // Compared as it is written: two cells that read the same are equally good.
  const winners = outcomes.filter((_, index) => values[index] !== undefined && format(values[index]) === best)
  return new Set(winners.length === outcomes.length ? [] : winners)
}
