// PersistentVolumes. What each type of volume wants of its fields is left to whoever mounts it.
import { formatQuantity } from '../../base/quantity.ts'
import { type FieldError, forbidden, invalid, notSupported, required } from '../field-error.ts'
import type { StrategyContext } from '../kind.ts'
import { goJson, mapValue, typed } from '../shown-value.ts'
import type { PersistentVolume } from '../types.ts'
import { isEqual } from './equality.ts'
import { immutableMessage } from './metadata.ts'
import { isDns1123Subdomain } from './names.ts'
import { addAmountErrors } from './persistent-volume-claim.ts'
import { quantityOf } from './resources.ts'
import { unifiedDiff } from './unified-diff.ts'

type VolumeSpec = NonNullable<PersistentVolume['spec']>

/** In the order in which Kubernetes looks at them. */
const sources = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

export function validatePersistentVolume({ spec: asked }: PersistentVolume, _context: StrategyContext): FieldError[] {
  const errors: FieldError[] = []
  const spec: VolumeSpec = asked ?? {}
  addCapacityErrors(errors, spec)
  const policies = ['Delete', 'Recycle', 'Retain']
  const policy = spec.persistentVolumeReclaimPolicy
  if (policy && !policies.includes(policy)) errors.push(notSupported('spec.persistentVolumeReclaimPolicy', typed(policy), policies))
  addSourceErrors(errors, spec)
  const name = spec.storageClassName
  if (name) for (const message of isDns1123Subdomain(name)) errors.push(invalid('spec.storageClassName', name, message))
  const modes = ['Block', 'Filesystem']
  if (spec.volumeMode !== undefined && !modes.includes(spec.volumeMode))
    errors.push(notSupported('spec.volumeMode', typed(spec.volumeMode), modes))
  const attributes = spec.volumeAttributesClassName
  if (attributes !== undefined) {
    if (attributes === '') errors.push(required('spec.volumeAttributesClassName', 'an empty string is disallowed'))
    else for (const message of isDns1123Subdomain(attributes)) errors.push(invalid('spec.volumeAttributesClassName', attributes, message))
    if (spec.csi === undefined) errors.push(required('spec.csi', 'has to be specified when using volumeAttributesClassName'))
  }
  return errors
}

function addCapacityErrors(errors: FieldError[], spec: VolumeSpec): void {
  const modes = spec.accessModes ?? []
  if (modes.length === 0) errors.push(required('spec.accessModes', ''))
  for (const mode of modes) if (!accessModes.includes(mode)) errors.push(notSupported('spec.accessModes', typed(mode), accessModes))
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode)))
    errors.push(forbidden('spec.accessModes', 'may not use ReadWriteOncePod with other access modes'))
  const capacity = spec.capacity ?? {}
  const names = Object.keys(capacity)
  if (names.length === 0) errors.push(required('spec.capacity', ''))
  if (names.length !== 1 || names[0] !== 'storage') errors.push(notSupported('spec.capacity', mapValue(spec.capacity), ['storage']))
  for (const name of names) {
    const text = capacity[name] ?? '0'
    const quantity = quantityOf(text)
    addAmountErrors(errors, text, `spec.capacity[${name}]`)
    if (quantity.nano <= 0n) errors.push(invalid(`spec.capacity[${name}]`, formatQuantity(quantity), 'must be greater than zero'))
  }
}

function addSourceErrors(errors: FieldError[], spec: VolumeSpec): void {
  const [first, ...others] = sources.filter((source) => spec[source] !== undefined)
  for (const source of others) errors.push(forbidden(`spec.${source}`, 'may not specify more than 1 volume type'))
  if (first === undefined) errors.push(required('spec', 'must specify a volume type'))
  const { hostPath, local, nfs, csi } = spec
  if (first === 'hostPath' && !hostPath?.path) errors.push(required('spec.hostPath.path', ''))
  if (first === 'nfs') {
    if (!nfs?.server) errors.push(required('spec.nfs.server', ''))
    if (!nfs?.path) errors.push(required('spec.nfs.path', ''))
    else if (!nfs.path.startsWith('/')) errors.push(invalid('spec.nfs.path', nfs.path, 'must be an absolute path'))
  }
  if (first === 'local') {
    if (!local?.path) errors.push(required('spec.local.path', ''))
    if (spec.nodeAffinity?.required === undefined) errors.push(required('spec.nodeAffinity', 'Local volume requires node affinity'))
  }
  if (first === 'csi') {
    if (!csi?.driver) errors.push(required('spec.csi.driver', ''))
    if (!csi?.volumeHandle) errors.push(required('spec.csi.volumeHandle', ''))
  }
  if (/^\/+$/.test(hostPath?.path ?? '') && spec.persistentVolumeReclaimPolicy === 'Recycle')
    errors.push(forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'"))
}

export function validatePersistentVolumeUpdate(next: PersistentVolume, current: PersistentVolume, context: StrategyContext): FieldError[] {
  const errors = validatePersistentVolume(next, context)
  const spec: VolumeSpec = next.spec ?? {}
  const old: VolumeSpec = current.spec ?? {}
  const before = sourceOf(old)
  let after = sourceOf(spec)
  // A secret for expansion may be added later.
  if (old.csi && spec.csi?.controllerExpandSecretRef && !old.csi.controllerExpandSecretRef) {
    const { controllerExpandSecretRef: _reference, ...csi } = spec.csi
    after = { ...after, csi }
  }
  if (!isEqual(after, before))
    errors.push(
      forbidden(
        'spec.persistentvolumesource',
        `spec.persistentvolumesource is immutable after creation\n${unifiedDiff(goJson(before, ' '), goJson(after, ' '))}`,
      ),
    )
  if (spec.volumeMode !== old.volumeMode)
    errors.push(invalid('volumeMode', spec.volumeMode === undefined ? undefined : typed(spec.volumeMode), immutableMessage))
  if (old.nodeAffinity !== undefined && !isEqual(spec.nodeAffinity, old.nodeAffinity))
    errors.push(invalid('nodeAffinity', spec.nodeAffinity, immutableMessage))
  if (old.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined)
    errors.push(forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden'))
  return errors
}

const sourceOf = (spec: VolumeSpec): Readonly<Record<string, unknown>> =>
  Object.fromEntries(sources.filter((source) => spec[source] !== undefined).map((source) => [source, spec[source]]))
