// Kubernetes: pkg/apis/core/validation.ValidateVolumeMounts, ValidateVolumeDevices, validateMountRecursiveReadOnly
// Kubernetes: pkg/apis/core/validation.validateMountPropagation
import { type At, type FieldError, forbidden, invalid, notFound, notSupported, required, typed } from '../../../../machinery/field-error.ts'
import { addUnsupported } from '../../../../machinery/validation/enums.ts'
import type { Container, Volume } from '../../../../types.ts'
import { checkDescendingPath, hasBacksteps } from './names.ts'

type VolumeMounts = NonNullable<Container['volumeMounts']>
type VolumeDevices = NonNullable<Container['volumeDevices']>

const recursions = ['Disabled', 'Enabled', 'IfPossible']

/** `devices` holds the container's devices: name to path. Some errors have no index, as in Kubernetes. */
export function checkVolumeMounts(
  errors: FieldError[],
  mounts: VolumeMounts,
  devices: ReadonlyMap<string, string>,
  volumes: ReadonlyMap<string, Volume>,
  isPrivileged: boolean,
  at: At,
): void {
  const paths = new Set<string>()
  const devicePaths = devices.size > 0 ? new Set(devices.values()) : undefined
  for (let index = 0; index < mounts.length; index++) {
    const mount = mounts[index]!
    const { name = '', mountPath = '', subPath, subPathExpr, mountPropagation, recursiveReadOnly } = mount
    const here = () => `${at()}.volumeMounts[${index}]`
    const list = () => `${at()}.volumeMounts`
    if (name === '') errors.push(required(`${here()}.name`, ''))
    if (!volumes.has(name)) errors.push(notFound(`${here()}.name`, name))
    if (mountPath === '') errors.push(required(`${here()}.mountPath`, ''))
    if (paths.has(mountPath)) errors.push(invalid(`${here()}.mountPath`, mountPath, 'must be unique'))
    paths.add(mountPath)
    if (devices.has(name)) errors.push(invalid(`${here()}.name`, name, 'must not already exist in volumeDevices'))
    if (devicePaths?.has(mountPath))
      errors.push(invalid(`${here()}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'))
    if (subPath) checkDescendingPath(errors, subPath, () => `${list()}.subPath`)
    if (subPathExpr) {
      if (subPath) errors.push(invalid(`${here()}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'))
      checkDescendingPath(errors, subPathExpr, () => `${list()}.subPathExpr`)
    }
    if (mountPropagation !== undefined && mountPropagation !== null) {
      addUnsupported(errors, mountPropagation, 'core.VolumeMount.mountPropagation', () => `${list()}.mountPropagation`)
      if (mountPropagation === 'Bidirectional' && !isPrivileged)
        errors.push(forbidden(`${list()}.mountPropagation`, 'Bidirectional mount propagation is available only to privileged containers'))
    }
    if (recursiveReadOnly !== undefined && recursiveReadOnly !== null && recursiveReadOnly !== 'Disabled')
      checkRecursiveReadOnly(errors, mount, recursiveReadOnly, () => `${list()}.recursiveReadOnly`)
  }
}

function checkRecursiveReadOnly(errors: FieldError[], mount: VolumeMounts[number], recursive: string, at: At): void {
  if (!recursions.includes(recursive)) {
    errors.push(notSupported(at(), typed(recursive), recursions))
    return
  }
  if (mount.readOnly !== true) errors.push(forbidden(at(), 'may only be specified when readOnly is true'))
  if (mount.mountPropagation !== undefined && mount.mountPropagation !== null && mount.mountPropagation !== 'None')
    errors.push(forbidden(at(), 'may only be specified when mountPropagation is None or not specified'))
}

export function checkVolumeDevices(
  errors: FieldError[],
  devices: VolumeDevices,
  mounts: VolumeMounts | undefined,
  volumes: ReadonlyMap<string, Volume>,
  at: At,
): void {
  const mountPathOf = new Map((mounts ?? []).map((mount) => [mount.name, mount.mountPath]))
  const mountPaths = new Set(mountPathOf.values())
  const names = new Set<string>()
  const paths = new Set<string>()
  for (const [index, { name = '', devicePath = '' }] of devices.entries()) {
    const here = () => `${at()}.volumeDevices[${index}]`
    const volume = volumes.get(name)
    if (name === '') errors.push(required(`${here()}.name`, ''))
    if (names.has(name)) errors.push(invalid(`${here()}.name`, name, 'must be unique'))
    if (volume === undefined) errors.push(notFound(`${here()}.name`, name))
    else if (!volume.persistentVolumeClaim && !volume.ephemeral)
      errors.push(invalid(`${here()}.name`, name, 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'))
    if (devicePath === '') errors.push(required(`${here()}.devicePath`, ''))
    if (paths.has(devicePath)) errors.push(invalid(`${here()}.devicePath`, devicePath, 'must be unique'))
    if (hasBacksteps(devicePath)) errors.push(invalid(`${here()}.devicePath`, devicePath, "can not contain backsteps ('..')"))
    else paths.add(devicePath)
    if (mountPathOf.has(name)) errors.push(invalid(`${here()}.name`, name, 'must not already exist in volumeMounts'))
    if (mountPaths.has(devicePath))
      errors.push(invalid(`${here()}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'))
    if (name !== '') names.add(name)
  }
}
