// A pod's volumes: each has a name and exactly one source.
import { duplicate, type FieldError, forbidden, invalid, required } from '../../../../machinery/field-error.ts'
import { goQuote } from '../../../../machinery/shown-value.ts'
import type { At } from '../../../../machinery/validation/at.ts'
import { isDns1123Label, isDns1123Subdomain, isLongerThan } from '../../../../machinery/validation/names.ts'
import { quantityOf } from '../../../../machinery/validation/resources.ts'
import type { ObjectMeta, Volume } from '../../../../types.ts'
import { checkClaimTemplate } from './claim-template.ts'
import type { PodValidationOptions } from './facts.ts'
import { addProblems } from './names.ts'
import { checkDownwardApiVolume, checkProjectedVolume } from './projected-volume.ts'
import { checkConfigMapVolume, checkImageVolume, checkSecretVolume, otherSources } from './volume-sources.ts'

/** The volumes that are valid, by name. `metadata` is that of a pod; a template has no name to check claims with. */
export function checkVolumes(
  errors: FieldError[],
  volumes: readonly Volume[],
  metadata: ObjectMeta | undefined,
  at: At,
  options: PodValidationOptions,
): ReadonlyMap<string, Volume> {
  const podName = metadata?.name ?? ''
  const createdClaims =
    podName === '' ? noNames : new Set(volumes.filter(({ ephemeral }) => ephemeral).map(({ name }) => `${podName}-${name}`))
  const valid = new Map<string, Volume>()
  for (let index = 0; index < volumes.length; index++) {
    const volume = volumes[index]!
    const name = volume.name ?? ''
    const here = () => `${at()}[${index}]`
    const before = errors.length
    checkSource(errors, volume, podName, here, options)
    if (name === '') errors.push(required(`${here()}.name`, ''))
    else addProblems(errors, isDns1123Label(name), name, () => `${here()}.name`)
    if (valid.has(name)) errors.push(duplicate(`${here()}.name`, name))
    if (errors.length === before) valid.set(name, volume)
    const claim = volume.persistentVolumeClaim?.claimName ?? ''
    if (volume.persistentVolumeClaim && createdClaims.has(claim))
      errors.push(
        invalid(`${here()}.persistentVolumeClaim.claimName`, claim, 'must not reference a PVC that gets created for an ephemeral volume'),
      )
  }
  return valid
}

const noNames: ReadonlySet<string> = new Set()

type SourceCheck = (errors: FieldError[], volume: Volume, at: At, options: PodValidationOptions) => void

// In the order in which Kubernetes checks them: the first source is validated, further ones are errors. A few of the
// messages name their field differently.
const sources: readonly { readonly field: keyof Volume; readonly refusedAs?: string; readonly check: SourceCheck }[] = [
  {
    field: 'emptyDir',
    check: (errors, { emptyDir }, at) => {
      const limit = emptyDir?.sizeLimit
      if (limit !== undefined && limit !== null && quantityOf(limit).nano < 0n)
        errors.push(forbidden(`${at()}.emptyDir.sizeLimit`, 'SizeLimit field must be a valid resource quantity'))
    },
  },
  { field: 'hostPath', check: otherSources.hostPath },
  { field: 'gitRepo', check: otherSources.gitRepo },
  { field: 'gcePersistentDisk', check: otherSources.gcePersistentDisk },
  { field: 'awsElasticBlockStore', check: otherSources.awsElasticBlockStore },
  { field: 'secret', check: (errors, { secret }, at) => checkSecretVolume(errors, secret!, () => `${at()}.secret`) },
  { field: 'nfs', check: otherSources.nfs },
  { field: 'iscsi', check: otherSources.iscsi },
  { field: 'glusterfs', check: otherSources.glusterfs },
  { field: 'flocker', check: otherSources.flocker },
  {
    field: 'persistentVolumeClaim',
    check: (errors, { persistentVolumeClaim }, at) => {
      if (!persistentVolumeClaim?.claimName) errors.push(required(`${at()}.persistentVolumeClaim.claimName`, ''))
    },
  },
  { field: 'rbd', check: otherSources.rbd },
  { field: 'cinder', check: otherSources.cinder },
  { field: 'cephfs', refusedAs: 'cephFS', check: otherSources.cephfs },
  { field: 'quobyte', check: otherSources.quobyte },
  {
    field: 'downwardAPI',
    refusedAs: 'downwarAPI',
    check: (errors, { downwardAPI }, at) => checkDownwardApiVolume(errors, downwardAPI!, () => `${at()}.downwardAPI`),
  },
  { field: 'fc', check: otherSources.fc },
  { field: 'flexVolume', check: otherSources.flexVolume },
  { field: 'configMap', check: (errors, { configMap }, at) => checkConfigMapVolume(errors, configMap!, () => `${at()}.configMap`) },
  { field: 'azureFile', check: otherSources.azureFile },
  { field: 'vsphereVolume', check: otherSources.vsphereVolume },
  { field: 'photonPersistentDisk', check: otherSources.photonPersistentDisk },
  { field: 'portworxVolume', check: otherSources.portworxVolume },
  { field: 'azureDisk', check: otherSources.azureDisk },
  { field: 'storageos', check: otherSources.storageos },
  {
    field: 'projected',
    check: (errors, { projected }, at, options) =>
      checkProjectedVolume(errors, projected!, () => `${at()}.projected`, options.allowNonLocalProjectedTokenPath === true),
  },
  { field: 'scaleIO', check: otherSources.scaleIO },
  { field: 'csi', check: otherSources.csi },
  {
    field: 'ephemeral',
    check: (errors, { ephemeral }, at) => {
      const template = ephemeral?.volumeClaimTemplate
      if (!template) errors.push(required(`${at()}.ephemeral.volumeClaimTemplate`, ''))
      else checkClaimTemplate(errors, template, `${at()}.ephemeral.volumeClaimTemplate`)
    },
  },
  {
    field: 'image',
    check: (errors, { image }, at, options) => checkImageVolume(errors, image!, () => `${at()}.image`, options.resourceIsPod === true),
  },
]
const sourceOf = new Map(sources.map((source) => [source.field as string, source]))

function checkSource(errors: FieldError[], volume: Volume, podName: string, at: At, options: PodValidationOptions): void {
  let only: (typeof sources)[number] | undefined
  let count = 0
  for (const field of Object.keys(volume)) {
    const source = sourceOf.get(field)
    if (source === undefined || !volume[source.field]) continue
    only = source
    count++
  }
  if (only === undefined) errors.push(required(at(), 'must specify a volume type'))
  else if (count === 1) checkOneSource(errors, only, volume, podName, at, options)
  else {
    let isFirst = true
    for (const source of sources) {
      if (!volume[source.field]) continue
      if (isFirst) checkOneSource(errors, source, volume, podName, at, options)
      else errors.push(forbidden(`${at()}.${source.refusedAs ?? source.field}`, 'may not specify more than 1 volume type'))
      if (source.field === 'iscsi') checkIscsiLength(errors, volume, at)
      isFirst = false
    }
    return
  }
  if (volume.iscsi) checkIscsiLength(errors, volume, at)
}

function checkOneSource(
  errors: FieldError[],
  source: (typeof sources)[number],
  volume: Volume,
  podName: string,
  at: At,
  options: PodValidationOptions,
): void {
  source.check(errors, volume, at, options)
  if (source.field !== 'ephemeral' || podName === '' || !volume.name) return
  const claim = `${podName}-${volume.name}`
  for (const problem of isDns1123Subdomain(claim))
    errors.push(invalid(`${at()}.name`, volume.name, `PVC name ${goQuote(claim)}: ${problem}`))
}

function checkIscsiLength(errors: FieldError[], { name = '', iscsi }: Volume, at: At): void {
  const initiator = iscsi?.initiatorName
  if (initiator === undefined || initiator === null || !isLongerThan(`${name}:${iscsi?.targetPortal ?? ''}`, 64)) return
  errors.push(
    invalid(
      `${at()}.name`,
      name,
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
    ),
  )
}
