// The pods of a DaemonSet: how they are created, their node, and whether they have the current template.
// Kubernetes: pkg/controller/daemon/util.CreatePodTemplate, ReplaceDaemonSetPodNodeNameNodeAffinity, GetTargetNodeName, IsPodUpdated

import { controllerReference } from '../../../api/machinery/owners.ts'
import type { DaemonSet, Pod, PodSpec, PodTemplateSpec, Stored } from '../../../api/types.ts'
import { getOrAdd } from '../../../base/maps.ts'
import { podFromTemplate } from '../../replica-set/plan/new-pod.ts'
import { isTerminal } from '../../shared/plan/pod-state.ts'
import type { DaemonSetSnapshot } from './snapshot.ts'
import { tolerationsOf } from './tolerations.ts'

export const revisionLabel = 'controller-revision-hash'
/** The predecessor of the hash, still read and written as in Kubernetes. */
const generationLabel = 'pod-template-generation'
const generationAnnotation = 'deprecated.daemonset.template.generation'

function templateGeneration({ metadata }: DaemonSet): string | undefined {
  const text = metadata?.annotations?.[generationAnnotation]
  return text !== undefined && /^[+-]?[0-9]{1,18}$/.test(text) ? String(Number(text)) : undefined
}

/** The pod without its node. */
export function podTemplateOf(set: Stored<DaemonSet>, hash: string): Pod {
  const pod = podFromTemplate(
    set.spec?.template as PodTemplateSpec | undefined,
    set.metadata.name,
    controllerReference('apps/v1', 'DaemonSet', set),
  )
  const generation = templateGeneration(set)
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: {
        ...pod.metadata?.labels,
        ...(generation !== undefined && { [generationLabel]: generation }),
        ...(hash !== '' && { [revisionLabel]: hash }),
      },
    },
    spec: { ...pod.spec!, tolerations: tolerationsOf(pod.spec!) },
  }
}

/** The node affinity makes the scheduler use this node. It replaces that of the template, which `placement.ts` has evaluated. */
export function podForNode(template: Pod, node: string): Pod {
  const affinity = template.spec?.affinity
  return {
    ...template,
    spec: {
      ...template.spec!,
      affinity: {
        ...affinity,
        nodeAffinity: {
          ...affinity?.nodeAffinity,
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
          },
        },
      },
    },
  }
}

/** The node of the pod, or the one that its affinity names. */
export function nodeOf({ spec }: Pick<Pod, 'spec'>): string | undefined {
  if (spec?.nodeName) return spec.nodeName
  const required = (spec as PodSpec | undefined)?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  for (const { matchFields = [] } of required?.nodeSelectorTerms ?? [])
    for (const { key, operator, values = [] } of matchFields)
      if (key === 'metadata.name' && operator === 'In') return values.length === 1 ? values[0] : undefined
  return undefined
}

/** Without terminated pods that are being deleted. */
export function podsByNode(pods: Iterable<Stored<Pod>>): Map<string, Stored<Pod>[]> {
  const byNode = new Map<string, Stored<Pod>[]>()
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp !== undefined && isTerminal(pod)) continue
    const node = nodeOf(pod)
    if (node === undefined) continue
    getOrAdd(byNode, node, () => []).push(pod)
  }
  return byNode
}

export function isUpdated({ metadata }: Pod, set: DaemonSet, hash: string): boolean {
  const labels = metadata?.labels
  if (hash !== '' && labels?.[revisionLabel] === hash) return true
  const generation = templateGeneration(set)
  return generation !== undefined && labels?.[generationLabel] === generation
}

export function hasOldPod({ set, pods, revision }: Pick<DaemonSetSnapshot, 'set' | 'pods' | 'revision'>): boolean {
  for (const pod of pods) if (!isUpdated(pod, set, revision.hash)) return true
  return false
}

/** Scheduled pods first; then the oldest. */
export function sortByAge(pods: readonly Stored<Pod>[]): readonly Stored<Pod>[] {
  if (pods.length < 2) return pods
  return [...pods].sort((a, b) => {
    const [onNode, other] = [Boolean(a.spec?.nodeName), Boolean(b.spec?.nodeName)]
    if (onNode !== other) return onNode ? -1 : 1
    return compare(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') || compare(a.metadata.name, b.metadata.name)
  })
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
