// Describes a change of a workload in a few words: `Deployment/web: nginx=nginx:2, replicas=5`.

import type { KubernetesObject, Stored } from '../../api/types.ts'
import { isEqualJson } from '../../base/json.ts'

interface WorkloadSpec {
  readonly replicas?: number
  readonly parallelism?: number
  readonly paused?: boolean
  readonly suspend?: boolean
  readonly template?: {
    readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> }
    readonly spec?: { readonly containers?: readonly { readonly name: string; readonly image?: string }[] }
  }
}

const restartAnnotation = 'kubectl.kubernetes.io/restartedAt'
const specOf = (object: KubernetesObject) => (object as { readonly spec?: WorkloadSpec }).spec ?? {}

/** Undefined if only the status changed. */
export function describeChangedSpec(previous: Stored<KubernetesObject>, current: Stored<KubernetesObject>): string | undefined {
  if (previous.metadata.generation === current.metadata.generation) return undefined
  const [before, after] = [specOf(previous), specOf(current)]
  const parts = [...changedImages(before, after)]
  for (const field of ['replicas', 'parallelism', 'paused', 'suspend'] as const)
    if (before[field] !== after[field]) parts.push(`${field}=${after[field] ?? 'unset'}`)
  const restartedAt = ({ template }: WorkloadSpec) => template?.metadata?.annotations?.[restartAnnotation]
  if (restartedAt(before) !== restartedAt(after)) parts.push('restarted')
  if (parts.length === 0) parts.push(isEqualJson(before.template, after.template) ? 'changed' : 'another pod template')
  return `${current.kind}/${current.metadata.name}: ${parts.join(', ')}`
}

function changedImages(before: WorkloadSpec, after: WorkloadSpec): string[] {
  const images = new Map((before.template?.spec?.containers ?? []).map(({ name, image }) => [name, image]))
  return (after.template?.spec?.containers ?? []).flatMap(({ name, image }) =>
    images.get(name) === image ? [] : [`${name}=${image ?? ''}`],
  )
}
