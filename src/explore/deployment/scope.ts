// How large a world of a Deployment is, and what happens in it.
import type { Shape } from './records.ts'

export interface DeploymentScope extends Shape {
  readonly name: string
  /** The sizes that the Deployment may have. */
  readonly replicas: readonly number[]
  /** The first size and policy: settled, or, without a size, a Deployment that was just created. */
  readonly starts: readonly { readonly replicas: number; readonly policy: number; readonly isNew?: boolean }[]
  /** The policies that the user switches to. */
  readonly policies: readonly number[]
  readonly templates: number
  readonly maxPods: number
  readonly lag: { readonly deployments: number; readonly sets: number; readonly pods: number }
  /** How often: the user changes the spec, */
  readonly users: number
  /** the progress deadline passes, */
  readonly deadlines: number
  /** a pod is deleted by others, */
  readonly disruptions: number
  /** a ReplicaSet is deleted, */
  readonly deletions: number
  /** the API server refuses to create pods. */
  readonly failures: number
  /** Whether writes fail, answers are lost and processes restart, as often as they like. */
  readonly hasStops: boolean
  /** Whether the user pauses and resumes. */
  readonly hasPauses: boolean
  /** Whether one write of the user changes the size together with the template or the policy. */
  readonly hasCombinedChanges: boolean
}
