// The sources of volumes, one rule each.
// Kubernetes: pkg/apis/core/validation.validateVolumeSource
import { type At, type FieldError, forbidden, invalid, notSupported, required } from '../../../../machinery/field-error.ts'
import { addUnsupported } from '../../../../machinery/validation/enums.ts'
import { isDns1123Label, isDns1123Subdomain, isLongerThan } from '../../../../machinery/validation/names.ts'
import { validateDriverName } from '../../../../machinery/validation/names-in-fields.ts'
import { quantityOf } from '../../../../machinery/validation/resources.ts'
import type { Volume } from '../../../../types.ts'
import { checkClaimTemplate } from './claim-template.ts'
import { checkPullPolicy } from './container.ts'
import type { PodValidationOptions } from './facts.ts'
import { addProblems, checkDescendingPath, checkKeyToPath, checkMode, checkNoBacksteps, isGiven } from './names.ts'
import { checkDownwardApiVolume, checkProjectedVolume } from './projected-volume.ts'

const partitionRange = 'must be between 1 and 255, inclusive'
const unitRange = 'must be between 0 and 255, inclusive'

function checkPartition(errors: FieldError[], partition: number | undefined, at: At): void {
  if (isGiven(partition) && (partition < 0 || partition > 255)) errors.push(invalid(`${at()}.partition`, partition, partitionRange))
}

const iscsiNames: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([a-zA-Z0-9.-]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[a-zA-Z0-9]{16}$/,
  naa: /^naa.[a-zA-Z0-9]{32}$/,
}

function iscsiNameProblem(name: string): string {
  const pattern = iscsiNames[name.slice(0, 3)]
  if (pattern === undefined) return 'must be valid format starting with iqn, eui, or naa'
  return pattern.test(name) ? '' : 'must be valid format'
}

const isHostAndPort = (text: string) => /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(text)
const registryRule = 'must be a host:port pair or multiple pairs separated by commas'

type Check = (errors: FieldError[], volume: Volume, at: At, options: PodValidationOptions) => void

interface Files {
  readonly defaultMode?: number
  readonly items?: NonNullable<Volume['secret']>['items']
}

function checkFiles(errors: FieldError[], { defaultMode, items }: Files, at: At): void {
  checkMode(errors, defaultMode, () => `${at()}.defaultMode`)
  for (const [index, item] of (items ?? []).entries()) checkKeyToPath(errors, item, () => `${at()}.items[${index}]`)
}

/** Fields that must not be empty, in order. */
const needs =
  (source: keyof Volume, ...fields: readonly string[]) =>
  (errors: FieldError[], volume: Volume, at: At) => {
    const value = volume[source] as Readonly<Record<string, unknown>>
    for (const field of fields) {
      const part = value[field]
      if (!part || (Array.isArray(part) && part.length === 0)) errors.push(required(`${at()}.${source}.${field}`, ''))
    }
  }

/** The sources, in the order in which Kubernetes checks them. */
export const volumeSources = {
  emptyDir: (errors, { emptyDir }, at) => {
    const limit = emptyDir?.sizeLimit
    if (isGiven(limit) && quantityOf(limit).nano < 0n)
      errors.push(forbidden(`${at()}.emptyDir.sizeLimit`, 'SizeLimit field must be a valid resource quantity'))
  },
  hostPath: (errors, { hostPath }, at) => {
    const { path, type } = hostPath!
    if (!path) {
      errors.push(required(`${at()}.hostPath.path`, ''))
      return
    }
    checkNoBacksteps(errors, path, () => `${at()}.hostPath.path`)
    addUnsupported(errors, type, 'core.HostPathVolumeSource.type', () => `${at()}.hostPath.type`)
  },
  gitRepo: (errors, { gitRepo }, at) => {
    if (!gitRepo!.repository) errors.push(required(`${at()}.gitRepo.repository`, ''))
    checkDescendingPath(errors, gitRepo!.directory ?? '', () => `${at()}.gitRepo.directory`)
  },
  gcePersistentDisk: (errors, { gcePersistentDisk }, at) => {
    // Kubernetes names this path differently.
    const here = () => `${at()}.persistentDisk`
    if (!gcePersistentDisk!.pdName) errors.push(required(`${here()}.pdName`, ''))
    checkPartition(errors, gcePersistentDisk!.partition, here)
  },
  awsElasticBlockStore: (errors, volume, at) => {
    needs('awsElasticBlockStore', 'volumeID')(errors, volume, at)
    checkPartition(errors, volume.awsElasticBlockStore!.partition, () => `${at()}.awsElasticBlockStore`)
  },
  secret: (errors, volume, at) => {
    needs('secret', 'secretName')(errors, volume, at)
    checkFiles(errors, volume.secret!, () => `${at()}.secret`)
  },
  nfs: (errors, volume, at) => {
    needs('nfs', 'server', 'path')(errors, volume, at)
    const path = volume.nfs!.path ?? ''
    if (!path.startsWith('/')) errors.push(invalid(`${at()}.nfs.path`, path, 'must be an absolute path'))
  },
  iscsi: (errors, { iscsi }, at) => {
    const { targetPortal, iqn, lun = 0, chapAuthDiscovery, chapAuthSession, secretRef, initiatorName } = iscsi!
    const here = () => `${at()}.iscsi`
    if (!targetPortal) errors.push(required(`${here()}.targetPortal`, ''))
    if (!iqn) errors.push(required(`${here()}.iqn`, ''))
    else if (iscsiNameProblem(iqn) !== '') errors.push(invalid(`${here()}.iqn`, iqn, iscsiNameProblem(iqn)))
    if (lun < 0 || lun > 255) errors.push(invalid(`${here()}.lun`, lun, unitRange))
    if ((chapAuthDiscovery || chapAuthSession) && !secretRef) errors.push(required(`${here()}.secretRef`, ''))
    if (isGiven(initiatorName) && iscsiNameProblem(initiatorName) !== '')
      errors.push(invalid(`${here()}.initiatorname`, initiatorName, iscsiNameProblem(initiatorName)))
  },
  glusterfs: needs('glusterfs', 'endpoints', 'path'),
  flocker: (errors, { flocker }, at) => {
    const { datasetName = '', datasetUUID = '' } = flocker!
    const here = () => `${at()}.flocker`
    if (datasetName === '' && datasetUUID === '') errors.push(required(here(), 'one of datasetName and datasetUUID is required'))
    if (datasetName !== '' && datasetUUID !== '')
      errors.push(invalid(here(), 'resource', 'datasetName and datasetUUID can not be specified simultaneously'))
    if (datasetName.includes('/')) errors.push(invalid(`${here()}.datasetName`, datasetName, "must not contain '/'"))
  },
  persistentVolumeClaim: needs('persistentVolumeClaim', 'claimName'),
  rbd: needs('rbd', 'monitors', 'image'),
  cinder: (errors, volume, at) => {
    needs('cinder', 'volumeID')(errors, volume, at)
    if (volume.cinder!.secretRef && !volume.cinder!.secretRef.name) errors.push(required(`${at()}.cinder.secretRef.name`, ''))
  },
  cephfs: needs('cephfs', 'monitors'),
  quobyte: (errors, { quobyte }, at) => {
    const { registry, tenant = '', volume } = quobyte!
    const here = () => `${at()}.quobyte`
    if (!registry) errors.push(required(`${here()}.registry`, registryRule))
    else if (isLongerThan(tenant, 64))
      errors.push(required(`${here()}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'))
    else
      for (const pair of registry.split(',')) if (!isHostAndPort(pair)) errors.push(invalid(`${here()}.registry`, registry, registryRule))
    if (!volume) errors.push(required(`${here()}.volume`, ''))
  },
  downwardAPI: (errors, { downwardAPI }, at) => checkDownwardApiVolume(errors, downwardAPI!, () => `${at()}.downwardAPI`),
  fc: (errors, { fc }, at) => {
    const { targetWWNs = [], wwids = [], lun } = fc!
    const here = () => `${at()}.fc`
    if (targetWWNs.length === 0 && wwids.length === 0)
      errors.push(required(`${here()}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both'))
    if (targetWWNs.length > 0 && wwids.length > 0)
      errors.push(invalid(`${here()}.targetWWNs`, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'))
    if (targetWWNs.length === 0) return
    if (!isGiven(lun)) errors.push(required(`${here()}.lun`, 'lun is required if targetWWNs is specified'))
    else if (lun < 0 || lun > 255) errors.push(invalid(`${here()}.lun`, lun, unitRange))
  },
  flexVolume: (errors, volume, at) => {
    needs('flexVolume', 'driver')(errors, volume, at)
    for (const key of Object.keys(volume.flexVolume!.options ?? {})) {
      const namespace = `.${(key.includes('/') ? key.slice(0, key.indexOf('/')) : key).toLowerCase()}`
      if (namespace.endsWith('.kubernetes.io') || namespace.endsWith('.k8s.io'))
        errors.push(invalid(`${at()}.flexVolume.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved'))
    }
  },
  configMap: (errors, volume, at) => {
    needs('configMap', 'name')(errors, volume, at)
    checkFiles(errors, volume.configMap!, () => `${at()}.configMap`)
  },
  azureFile: needs('azureFile', 'secretName', 'shareName'),
  vsphereVolume: needs('vsphereVolume', 'volumePath'),
  photonPersistentDisk: needs('photonPersistentDisk', 'pdID'),
  portworxVolume: needs('portworxVolume', 'volumeID'),
  azureDisk: (errors, volume, at) => {
    needs('azureDisk', 'diskName', 'diskURI')(errors, volume, at)
    const { cachingMode, kind, diskURI = '' } = volume.azureDisk!
    const here = () => `${at()}.azureDisk`
    addUnsupported(errors, cachingMode, 'core.AzureDiskVolumeSource.cachingMode', () => `${here()}.cachingMode`)
    addUnsupported(errors, kind, 'core.AzureDiskVolumeSource.kind', () => `${here()}.kind`)
    if (kind === 'Managed' && !diskURI.startsWith('/subscriptions/'))
      errors.push(
        notSupported(`${here()}.diskURI`, diskURI, [
          '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}',
        ]),
      )
    if (isGiven(kind) && kind !== 'Managed' && !diskURI.startsWith('https://'))
      errors.push(
        notSupported(`${here()}.diskURI`, diskURI, ['https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd']),
      )
  },
  storageos: (errors, { storageos }, at) => {
    const { volumeName, volumeNamespace, secretRef } = storageos!
    const here = () => `${at()}.storageos`
    if (!volumeName) errors.push(required(`${here()}.volumeName`, ''))
    else addProblems(errors, isDns1123Label(volumeName), volumeName, () => `${here()}.volumeName`)
    if (volumeNamespace) addProblems(errors, isDns1123Label(volumeNamespace), volumeNamespace, () => `${here()}.volumeNamespace`)
    if (secretRef && !secretRef.name) errors.push(required(`${here()}.secretRef.name`, ''))
  },
  projected: (errors, { projected }, at, options: PodValidationOptions) =>
    checkProjectedVolume(errors, projected!, () => `${at()}.projected`, options.allowNonLocalProjectedTokenPath === true),
  scaleIO: needs('scaleIO', 'gateway', 'system', 'volumeName'),
  csi: (errors, { csi }, at) => {
    const { driver = '', nodePublishSecretRef } = csi!
    const here = () => `${at()}.csi`
    errors.push(...validateDriverName(driver, `${here()}.driver`))
    if (!nodePublishSecretRef) return
    const { name } = nodePublishSecretRef
    if (!name) errors.push(required(`${here()}.nodePublishSecretRef.name`, ''))
    else addProblems(errors, isDns1123Subdomain(name), name, () => `${here()}.name`)
  },
  ephemeral: (errors, { ephemeral }, at) => {
    const template = ephemeral?.volumeClaimTemplate
    if (!template) errors.push(required(`${at()}.ephemeral.volumeClaimTemplate`, ''))
    else checkClaimTemplate(errors, template, `${at()}.ephemeral.volumeClaimTemplate`)
  },
  image: (errors, { image }, at, options: PodValidationOptions) => {
    if (options.resourceIsPod === true && !image!.reference) errors.push(required(`${at()}.image.reference`, ''))
    checkPullPolicy(errors, image!.pullPolicy, () => `${at()}.image.pullPolicy`)
  },
} as const satisfies Readonly<Record<string, Check>>
