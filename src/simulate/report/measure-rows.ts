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

const row = (key: keyof Measures, label: string, about: string, format: MeasureRow['format'] = formatNumber): MeasureRow => ({
  key,
  label,
  about,
  better: 'lower',
  format,
})
const optional = (...of: Parameters<typeof row>): MeasureRow => ({ ...row(...of), isOptional: true })

export const measureRows: readonly MeasureRow[] = [
  row('peakPods', 'Peak pods', 'Running and terminating, at the highest moment'),
  row('peakOverCap', 'Over the cap', 'Pods beyond replicas + maxSurge, at most'),
  row('availableAfterMs', 'Until available', 'Every pod of the new revision is available', formatLength),
  row('oldGoneAfterMs', 'Until old pods are gone', 'The last pod of an old revision has ended', formatLength),
  row('completeAfterMs', 'Until complete', 'The controller calls it complete', formatLength),
  optional('drainedAfterMs', 'Until drained', 'The drained nodes have no pod any more', formatLength),
  {
    ...row('lowestAvailability', 'Lowest availability', 'The fewest available pods, as a share of the replicas', formatShare),
    better: 'higher',
  },
  row('podSeconds', 'Pod-seconds', 'Pods times the seconds they were there'),
  row('peakNodes', 'Peak nodes', 'Nodes at the highest moment'),
  row('nodeMinutes', 'Node-minutes', 'Nodes times the minutes they were there'),
  optional('cost', 'Cost', 'Of the nodes, at the given price', formatMoney),
  row('waitedForRoom', 'Waited for room', 'Pods that waited for what other pods took'),
  optional('matchedNoNode', 'Matched no node', 'Pods whose selector, affinity, tolerations or claims no node matched'),
  row('deadlinesPassed', 'Deadlines passed', 'Times that the progress deadline passed'),
  optional('lostLoad', 'Load not served', 'The share of the load beyond the capacity of the ready pods', formatLost),
  optional('lostRequests', 'Requests not served', 'The same as a number of requests'),
  optional('smallestSize', 'Smallest size', 'The fewest replicas that the autoscaler asked for'),
  optional('largestSize', 'Largest size', 'The most replicas that the autoscaler asked for'),
  optional('rescales', 'Size changes', 'How often the autoscaler changed the size'),
  optional('oscillations', 'Oscillations', 'How often the autoscaler went back the other way although the load had not'),
  optional('peakWaiting', 'Waiting for the pacer', 'Pods with a scheduling gate, at the highest moment'),
  optional(
    'neededDeadlineMs',
    'Deadline to exceed',
    'The longest time without progress: progressDeadlineSeconds has to be more',
    formatLength,
  ),
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
  'Pacer+evictions': {
    name: 'Surge before eviction',
    about: 'As Kubernetes does it today, with rollcall pacer --evictions next to it',
  },
}

export const nameOf = ({ label, policy }: Pick<Outcome, 'label' | 'policy'>): string => label ?? policyTexts[policy].name

/** What an outcome is compared by: the middle of its runs, or its only one. Undefined: half of the runs do not have it. */
export function comparedValue({ measures, spread }: Outcome, key: keyof Measures): number | undefined {
  return spread === undefined ? measures[key] : spread[key]?.p50
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
  const isBest = (value: number | undefined) => value !== undefined && format(value) === best
  if (outcomes.every((outcome) => isBest(comparedValue(outcome, key)))) return new Set()
  return new Set(outcomes.filter((_, index) => isBest(values[index])))
}
