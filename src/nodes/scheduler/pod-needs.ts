// What the scheduler reads from a pod, parsed once and compared with many nodes.
// Kubernetes: pkg/scheduler/framework.PodInfo.*
// Kubernetes: pkg/scheduler/framework/plugins/nodeaffinity.NodeAffinity.PreFilter

import {
  type NodeRequirement,
  readNodePreferences,
  readNodeRequirement,
  type WeightedTerm,
} from '../../api/kinds/core/node/node-requirement.ts'
import type { Toleration } from '../../api/kinds/core/node/taints.ts'
import type { Pod, PodSpec, Stored } from '../../api/types.ts'
import type { Labels } from '../../base/label-selector.ts'
import { type PodAffinity, readPodAffinity } from './affinity-terms.ts'
import { type HostPort, readHostPorts } from './host-ports.ts'
import { type PodTraits, readTraits } from './pod-counts.ts'
import { type PodRequests, readRequests } from './pod-requests.ts'
import { readSpread, type SpreadRules } from './spread-constraints.ts'

export interface PodNeeds {
  readonly pod: Stored<Pod>
  readonly uid: string
  readonly namespace: string
  readonly traits: PodTraits
  readonly priority: number
  readonly requests: PodRequests
  readonly ports: readonly HostPort[]
  readonly tolerations: readonly Toleration[]
  /** Absent: any node. */
  readonly nodes?: NodeRequirement
  readonly nodePreferences: readonly WeightedTerm[]
  readonly spread: SpreadRules
  readonly affinity: PodAffinity
}

const noTolerations: readonly Toleration[] = []

type OfTemplate = Omit<PodNeeds, 'pod' | 'uid' | 'traits'>

interface KnownNeeds {
  readonly spec: PodSpec
  readonly labels: Labels | undefined
  readonly needs: OfTemplate
}

/** By the containers, which the pods of one template share. */
const known = new WeakMap<object, KnownNeeds>()

export function readNeeds(pod: Stored<Pod>): PodNeeds {
  const { metadata, spec } = pod
  const namespace = metadata.namespace ?? ''
  const traits = readTraits(namespace, metadata.labels, metadata.deletionTimestamp !== undefined)
  return { pod, uid: metadata.uid, traits, ...needsOf(spec ?? { containers: [] }, namespace, metadata.labels) }
}

function needsOf(spec: PodSpec, namespace: string, labels: Labels | undefined): OfTemplate {
  const found = known.get(spec.containers)
  if (found?.needs.namespace === namespace && found.labels === labels && hasSameParts(spec, found.spec)) return found.needs
  const nodes = readNodeRequirement(spec)
  const needs: OfTemplate = {
    namespace,
    priority: spec.priority ?? 0,
    requests: readRequests({ spec }),
    ports: readHostPorts({ spec }),
    tolerations: spec.tolerations ?? noTolerations,
    ...(nodes && { nodes }),
    nodePreferences: readNodePreferences(spec),
    spread: readSpread(spec, labels ?? {}),
    affinity: readPodAffinity(namespace, spec),
  }
  known.set(spec.containers, { spec, labels, needs })
  return needs
}

/** Whether the fields are identical. The node that was assigned does not matter. */
function hasSameParts(a: PodSpec, b: PodSpec): boolean {
  if (a === b) return true
  let field: keyof PodSpec
  for (field in a) if (field !== 'nodeName' && a[field] !== b[field]) return false
  for (field in b) if (field !== 'nodeName' && !Object.hasOwn(a, field)) return false
  return true
}
