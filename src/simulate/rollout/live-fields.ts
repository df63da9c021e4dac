// Objects as `kubectl get -o yaml` prints them, as they would stand in a manifest. Pure.
import type { KubernetesObject } from '../../api/types.ts'

type Loose = Readonly<Record<string, unknown>>

const keptMetadata = ['name', 'generateName', 'namespace', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const
const serverAnnotations = new Set([
  'deployment.kubernetes.io/revision',
  'deprecated.daemonset.template.generation',
  'kubectl.kubernetes.io/last-applied-configuration',
])
/** Where the server makes the selector of a Job, it also puts these on its pods. */
const jobLabels = new Set(['controller-uid', 'batch.kubernetes.io/controller-uid', 'job-name', 'batch.kubernetes.io/job-name'])

/** Whether a server has stored the object. */
const isLive = ({ metadata }: KubernetesObject): boolean => metadata?.uid !== undefined || metadata?.resourceVersion !== undefined

/** A live object that a controller made: its owner makes it again. */
export const isMadeByController = (object: KubernetesObject): boolean =>
  isLive(object) && object.metadata?.ownerReferences?.some(({ controller }) => controller === true) === true

/** Without what only the server sets: uid, resourceVersion, managedFields, status, and what it gave to the spec. */
export function withoutServerFields(object: KubernetesObject): KubernetesObject {
  const { status: _, ...rest } = object as KubernetesObject & { readonly status?: unknown }
  const { metadata } = object
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return object
  const kept = Object.fromEntries(keptMetadata.flatMap((key) => (metadata[key] === undefined ? [] : [[key, metadata[key]]])))
  const annotations =
    metadata.annotations &&
    Object.entries(metadata.annotations).filter(([key]) => object.kind === 'ReplicaSet' || !serverAnnotations.has(key))
  const named = {
    ...rest,
    metadata: {
      ...kept,
      ...(annotations !== undefined && { annotations: annotations.length === 0 ? undefined : Object.fromEntries(annotations) }),
    },
  } as KubernetesObject
  return isLive(object) ? withoutServerSpec(named) : named
}

/** Fields of a spec that the server or the scheduler sets. */
const serverSpecFields: Readonly<Record<string, readonly string[]>> = {
  Service: ['clusterIP', 'clusterIPs'],
  PersistentVolumeClaim: ['volumeName'],
  Pod: ['nodeName'],
  Job: ['selector'],
}

function withoutServerSpec(object: KubernetesObject): KubernetesObject {
  const { spec } = object as { readonly spec?: Loose }
  const fields = serverSpecFields[object.kind ?? '']
  if (spec === undefined || fields === undefined || (object.kind === 'Job' && spec['manualSelector'] === true)) return object
  const isHeadless = object.kind === 'Service' && spec['clusterIP'] === 'None'
  const kept = Object.entries(spec).filter(([name]) => !fields.includes(name) || (isHeadless && name === 'clusterIP'))
  const rest = Object.fromEntries(kept)
  if (object.kind !== 'Job') return { ...object, spec: rest } as KubernetesObject
  const template = (spec['template'] ?? {}) as { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } }
  const labels = Object.entries(template.metadata?.labels ?? {}).filter(([key]) => !jobLabels.has(key))
  const metadata = { ...template.metadata, labels: Object.fromEntries(labels) }
  return { ...object, spec: { ...rest, template: { ...template, metadata } } } as KubernetesObject
}
