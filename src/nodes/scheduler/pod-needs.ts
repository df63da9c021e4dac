// What the scheduler knows of a pod: read once, compared with many nodes.

import { type NodeRequirement, readNodePreferences, readNodeRequirement, type WeightedTerm } from '../../api/node-requirement.ts'
import type { Pod, Stored } from '../../api/types.ts'
import { type PodAffinity, readPodAffinity } from './affinity-terms.ts'
import { type HostPort, readHostPorts } from './host-ports.ts'
import { type PodLook, readLook } from './pod-group.ts'
import { type PodRequests, readRequests } from './requests.ts'
import { readSpread, type SpreadRules } from './spread-constraints.ts'
import type { Tolerations } from './taints.ts'

export interface PodNeeds {
  readonly pod: Stored<Pod>
  readonly uid: string
  readonly namespace: string
  readonly look: PodLook
  readonly priority: number
  readonly requests: PodRequests
  readonly ports: readonly HostPort[]
  readonly tolerations: Tolerations
  /** Absent: any node will do. */
  readonly nodes?: NodeRequirement
  readonly nodePreferences: readonly WeightedTerm[]
  readonly spread: SpreadRules
  readonly affinity: PodAffinity
}

const noTolerations: Tolerations = []

export function readNeeds(pod: Stored<Pod>): PodNeeds {
  const { metadata, spec = { containers: [] } } = pod
  const namespace = metadata.namespace ?? ''
  const nodes = readNodeRequirement(spec)
  return {
    pod,
    uid: metadata.uid,
    namespace,
    look: readLook(namespace, metadata.labels, metadata.deletionTimestamp !== undefined),
    priority: spec.priority ?? 0,
    requests: readRequests(pod),
    ports: readHostPorts(pod),
    tolerations: spec.tolerations ?? noTolerations,
    ...(nodes && { nodes }),
    nodePreferences: readNodePreferences(spec),
    spread: readSpread(spec, metadata.labels ?? {}),
    affinity: readPodAffinity(namespace, spec),
  }
}
