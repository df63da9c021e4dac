// PersistentVolumes.
// Kubernetes: pkg/apis/core/validation.ValidatePersistentVolume, ValidatePersistentVolumeUpdate, ValidatePersistentVolumeStatusUpdate
// Kubernetes: pkg/apis/core/validation.ValidatePersistentVolumeSpec, validateVolumeNodeAffinity
import { isEqualJson } from '../../../../base/json.ts'
import { formatQuantity } from '../../../../base/quantity.ts'
import { type FieldError, forbidden, invalid, mapValue, notSupported, required, typed } from '../../../machinery/field-error.ts'
import { goJson } from '../../../machinery/go-text.ts'
import { addUnsupported } from '../../../machinery/validation/enums.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import { isDns1123Label, isDns1123Subdomain } from '../../../machinery/validation/names.ts'
import { validateDriverName } from '../../../machinery/validation/names-in-fields.ts'
import { quantityOf } from '../../../machinery/validation/resources.ts'
import { unifiedDiff } from '../../../machinery/validation/unified-diff.ts'
import type { PersistentVolume, Volume } from '../../../types.ts'
import { addAmountErrors } from '../persistent-volume-claim/validation.ts'
import { checkNodeSelector } from '../pod/validation/affinity.ts'
import { internalForm } from '../pod/validation/internal-form.ts'
import { checkNoBacksteps } from '../pod/validation/names.ts'
import { volumeSources } from '../pod/validation/volume-sources.ts'

type VolumeSpec = NonNullable<PersistentVolume['spec']>

/** In the order in which Kubernetes checks them. */
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

export function validatePersistentVolume({ spec: asked }: PersistentVolume): FieldError[] {
  const errors: FieldError[] = []
  const spec: VolumeSpec = asked ?? {}
  addCapacityErrors(errors, spec)
  const policy = spec.persistentVolumeReclaimPolicy
  if (policy)
    addUnsupported(errors, policy, 'core.PersistentVolumeSpec.persistentVolumeReclaimPolicy', 'spec.persistentVolumeReclaimPolicy')
  addNodeAffinityErrors(errors, spec, false)
  addSourceErrors(errors, spec)
  const name = spec.storageClassName
  if (name) for (const message of isDns1123Subdomain(name)) errors.push(invalid('spec.storageClassName', name, message))
  addUnsupported(errors, spec.volumeMode, 'core.PersistentVolumeSpec.volumeMode', 'spec.volumeMode')
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

/** Only the first source is validated, and flexVolume, which Kubernetes accepts beside another source. */
function addSourceErrors(errors: FieldError[], spec: VolumeSpec): void {
  const given = sources.filter((source) => spec[source] !== undefined)
  if (given.length === 0) errors.push(required('spec', 'must specify a volume type'))
  for (const [index, source] of given.entries()) {
    if (index > 0 && source !== 'flexVolume')
      errors.push(forbidden(`spec.${source === 'cephfs' ? 'cephFS' : source}`, 'may not specify more than 1 volume type'))
    else if (source === 'local') addLocalErrors(errors, spec)
    else if (source === 'csi') addDriverErrors(errors, spec.csi!)
    else volumeSources[source](errors, spec as typeof spec & Volume, () => 'spec')
  }
  if (/^\/+$/.test(spec.hostPath?.path ?? '') && spec.persistentVolumeReclaimPolicy === 'Recycle')
    errors.push(forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'"))
}

function addLocalErrors(errors: FieldError[], { local, nodeAffinity }: VolumeSpec): void {
  if (!local?.path) errors.push(required('spec.local.path', ''))
  else checkNoBacksteps(errors, local.path, () => 'spec.local.path')
  if (nodeAffinity === undefined) errors.push(required('spec.nodeAffinity', 'Local volume requires node affinity'))
}

const secretsOfDriver = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'] as const

function addDriverErrors(errors: FieldError[], csi: NonNullable<VolumeSpec['csi']>): void {
  errors.push(...validateDriverName(csi.driver ?? '', 'spec.csi.driver'))
  if (!csi.volumeHandle) errors.push(required('spec.csi.volumeHandle', ''))
  for (const field of secretsOfDriver) {
    const secret = csi[field]
    if (!secret) continue
    const path = `spec.csi.${field}`
    if (!secret.name) errors.push(required(`${path}.name`, ''))
    else for (const message of isDns1123Subdomain(secret.name)) errors.push(invalid(`${path}.name`, secret.name, message))
    if (!secret.namespace) errors.push(required(`${path}.namespace`, ''))
    else for (const message of isDns1123Label(secret.namespace)) errors.push(invalid(`${path}.namespace`, secret.namespace, message))
  }
}

function addNodeAffinityErrors(errors: FieldError[], { nodeAffinity }: VolumeSpec, allowInvalidValues: boolean): void {
  if (nodeAffinity === undefined) return
  if (nodeAffinity.required) checkNodeSelector(errors, nodeAffinity.required, () => 'spec.nodeAffinity.required', allowInvalidValues)
  else errors.push(required('spec.nodeAffinity.required', 'must specify required node constraints'))
}

export function validatePersistentVolumeUpdate(next: PersistentVolume, current: PersistentVolume): FieldError[] {
  // As in Kubernetes, the volume is validated as a whole twice.
  const errors = [...validatePersistentVolume(next), ...validatePersistentVolume(next)]
  const spec: VolumeSpec = next.spec ?? {}
  const old: VolumeSpec = current.spec ?? {}
  const before = sourceOf(old)
  let after = sourceOf(spec)
  // A secret for expansion may be added later.
  if (old.csi && spec.csi?.controllerExpandSecretRef && !old.csi.controllerExpandSecretRef) {
    const { controllerExpandSecretRef: _reference, ...csi } = spec.csi
    after = { ...after, csi }
  }
  if (!isEqualJson(after, before))
    errors.push(
      forbidden(
        'spec.persistentvolumesource',
        `spec.persistentvolumesource is immutable after creation\n${unifiedDiff(shownSource(before), shownSource(after))}`,
      ),
    )
  if (spec.volumeMode !== old.volumeMode)
    errors.push(invalid('volumeMode', spec.volumeMode === undefined ? undefined : typed(spec.volumeMode), immutableMessage))
  if (old.nodeAffinity !== undefined && !isEqualJson(spec.nodeAffinity, old.nodeAffinity))
    errors.push(
      invalid(
        'nodeAffinity',
        spec.nodeAffinity === undefined ? null : internalForm('VolumeNodeAffinity', spec.nodeAffinity),
        `${immutableMessage}, except for updating from beta label to GA`,
      ),
    )
  if (old.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined)
    errors.push(forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden'))
  return errors
}

const shownSource = (source: unknown) => goJson(internalForm('PersistentVolumeSource', source), ' ')

const sourceOf = (spec: VolumeSpec): Readonly<Record<string, unknown>> =>
  Object.fromEntries(sources.filter((source) => spec[source] !== undefined).map((source) => [source, spec[source]]))
