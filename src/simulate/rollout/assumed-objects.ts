// What pods refer to and no manifest brings: it is taken to be there, as it is in the cluster that the manifests are for. Pure.

import type { KubernetesObject } from '../../api/types.ts'
import { namespaceOf } from './load/autoscalers.ts'
import type { PlannedObject } from './plan.ts'
import { templateOf } from './prepare.ts'
import { isWorkload } from './workload-kinds.ts'

type Kind = 'ConfigMap' | 'Secret' | 'ServiceAccount' | 'PriorityClass' | 'RuntimeClass' | 'StorageClass' | 'PersistentVolumeClaim'

const clusterKinds: ReadonlySet<string> = new Set(['PriorityClass', 'RuntimeClass', 'StorageClass'])

export interface Reference {
  readonly kind: Kind
  readonly name: string
  /** Of a ConfigMap or Secret: what has to be in it. */
  readonly key?: string
}

interface AssumedObjects {
  readonly objects: readonly PlannedObject[]
  /** One line that names them. Absent: there are none. */
  readonly note?: string
  /** Such as `Secret web-keys`. */
  readonly names: readonly string[]
}

/** `given`: all that is there at some time. Pods may do without what is optional, and do. */
export function assumedObjects(given: readonly PlannedObject[]): AssumedObjects {
  const idOf = (kind: string, namespace: string, name: string) => `${kind}/${clusterKinds.has(kind) ? '' : namespace}/${name}`
  const known = new Set(given.map(({ object }) => idOf(object.kind ?? '', namespaceOf(object), object.metadata?.name ?? '')))
  const missing = new Map<string, { readonly kind: Kind; readonly namespace: string; readonly name: string; readonly keys: Set<string> }>()
  for (const { object } of given.filter((one) => isWorkload(one) || one.object.kind === 'PersistentVolumeClaim'))
    for (const { kind, name, key } of referencesOf(object)) {
      const id = idOf(kind, namespaceOf(object), name)
      // The size of a claim cannot be guessed, and a claim is part of what is deployed.
      if (kind === 'PersistentVolumeClaim' || known.has(id) || isAlwaysThere(kind, name)) continue
      const found = missing.get(id) ?? { kind, namespace: namespaceOf(object), name, keys: new Set<string>() }
      if (key !== undefined) found.keys.add(key)
      missing.set(id, found)
    }
  const objects = [...missing.values()].map(({ kind, namespace, name, keys }) => ({
    object: objectOf(kind, namespace, name, [...keys]),
    place: { source: `${kind} ${name}, which is assumed` },
  }))
  const names = [...missing.values()].map(({ kind, name }) => `${kind} ${name}`)
  return names.length === 0
    ? { objects, names }
    : { objects, names, note: `${names.join(', ')} ${names.length === 1 ? 'exists' : 'exist'}` }
}

const isAlwaysThere = (kind: Kind, name: string) =>
  (kind === 'ServiceAccount' && name === 'default') ||
  (kind === 'ConfigMap' && name === 'kube-root-ca.crt') ||
  (kind === 'PriorityClass' && name.startsWith('system-'))

function objectOf(kind: Kind, namespace: string, name: string, keys: readonly string[]): KubernetesObject {
  if (kind === 'PriorityClass') return { apiVersion: 'scheduling.k8s.io/v1', kind, metadata: { name }, value: 0 } as KubernetesObject
  if (kind === 'RuntimeClass') return { apiVersion: 'node.k8s.io/v1', kind, metadata: { name }, handler: 'assumed' } as KubernetesObject
  if (kind === 'StorageClass')
    return {
      apiVersion: 'storage.k8s.io/v1',
      kind,
      metadata: { name },
      provisioner: 'rollcall.dev/assumed',
      volumeBindingMode: 'WaitForFirstConsumer',
    } as KubernetesObject
  const object = { apiVersion: 'v1', kind, metadata: { name, namespace } }
  if (kind === 'ServiceAccount') return object
  const field = kind === 'Secret' ? 'stringData' : 'data'
  return { ...object, [field]: Object.fromEntries(keys.map((key) => [key, 'assumed'])) } as KubernetesObject
}

type Loose = Readonly<Record<string, unknown>>
const loose = (value: unknown): Loose => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {})
const many = (value: unknown): readonly Loose[] => (Array.isArray(value) ? value.map(loose) : [])

/** What has to exist before the pods of a workload can start. */
export function referencesOf(object: KubernetesObject): Reference[] {
  const pod = object.kind === 'Pod' ? loose((object as { readonly spec?: unknown }).spec) : loose(templateOf(object)?.spec)
  const references: Reference[] = []
  const add = (kind: Kind, name: unknown, key?: unknown) => {
    if (typeof name === 'string' && name !== '') references.push({ kind, name, ...(typeof key === 'string' && { key }) })
  }
  const addFiles = (kind: Kind, source: unknown, name: unknown) => {
    const { optional, items } = loose(source)
    if (optional === true) return
    add(kind, name)
    for (const { key } of many(items)) add(kind, name, key)
  }
  add('ServiceAccount', pod['serviceAccountName'] ?? pod['serviceAccount'])
  add('PriorityClass', pod['priorityClassName'])
  add('RuntimeClass', pod['runtimeClassName'])
  const { spec } = object as { readonly spec?: Loose }
  if (object.kind === 'PersistentVolumeClaim') add('StorageClass', spec?.['storageClassName'])
  for (const claim of many(spec?.['volumeClaimTemplates'])) add('StorageClass', loose(claim['spec'])['storageClassName'])
  for (const volume of many(pod['volumes'])) {
    addFiles('ConfigMap', volume['configMap'], loose(volume['configMap'])['name'])
    add('PersistentVolumeClaim', loose(volume['persistentVolumeClaim'])['claimName'])
    const { spec: template } = loose(loose(volume['ephemeral'])['volumeClaimTemplate'])
    add('StorageClass', loose(template)['storageClassName'])
    addFiles('Secret', volume['secret'], loose(volume['secret'])['secretName'])
    for (const source of many(loose(volume['projected'])['sources'])) {
      addFiles('ConfigMap', source['configMap'], loose(source['configMap'])['name'])
      addFiles('Secret', source['secret'], loose(source['secret'])['name'])
    }
  }
  for (const container of [...many(pod['initContainers']), ...many(pod['containers'])]) {
    for (const source of many(container['envFrom'])) {
      addFiles('ConfigMap', source['configMapRef'], loose(source['configMapRef'])['name'])
      addFiles('Secret', source['secretRef'], loose(source['secretRef'])['name'])
    }
    for (const variable of many(container['env'])) {
      const { configMapKeyRef, secretKeyRef } = loose(variable['valueFrom'])
      for (const [kind, reference] of [
        ['ConfigMap', loose(configMapKeyRef)],
        ['Secret', loose(secretKeyRef)],
      ] as const)
        if (reference['optional'] !== true) add(kind, reference['name'], reference['key'])
    }
  }
  return references
}
