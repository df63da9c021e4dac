// What things are called, by what is played: Jobs have no replicas, no surge and nothing that must stay available. Pure.
import type { Measures, Outcome, Policy } from '../result.ts'

export interface Words {
  /** What the pods may add up to. */
  readonly cap: string
  /** More than that. */
  readonly over: string
  /** The same of several workloads together. */
  readonly overSeveral: string
  /** Of pods that do what they are for. */
  readonly ready: string
  /** The name of a run without a policy. */
  readonly noPolicy: string
  /** Whether the measure means anything for these workloads. */
  has(measure: keyof Measures): boolean
}

/** Of policies, where there is little room. */
export const shortNames: Readonly<Record<Policy, string>> = {
  None: 'no policy',
  TerminationStarted: 'Started',
  TerminationComplete: 'Complete',
  'TerminationComplete+terminatingAsActive': '+asActive',
  Pacer: '+ pacer',
  'Pacer+evictions': '+ surge',
}

const ofDeployments = new Set<keyof Measures>(['availableAfterMs', 'lowestAvailability', 'deadlinesPassed', 'neededDeadlineMs'])

export function wordsFor(outcomes: readonly Pick<Outcome, 'kinds'>[]): Words {
  const kinds = [...new Set(outcomes.flatMap(({ kinds: own = ['Deployment'] }) => own))]
  const hasOnlyJobs = kinds.length > 0 && kinds.every((kind) => kind === 'Job')
  return {
    over: hasOnlyJobs ? 'over parallelism' : 'over the cap',
    overSeveral: hasOnlyJobs ? 'over parallelism' : 'over their caps',
    ready: hasOnlyJobs ? 'running' : 'ready',
    cap: hasOnlyJobs ? 'parallelism' : 'replicas + maxSurge',
    // Beside policies, it has to be told apart from them.
    noPolicy: outcomes.length > 1 || kinds.length === 0 || kinds.includes('Deployment') ? 'no policy' : kinds.join(', '),
    has: (measure) => !hasOnlyJobs || !ofDeployments.has(measure),
  }
}
