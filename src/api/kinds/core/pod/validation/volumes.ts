// A pod's volumes: each has a name and exactly one source.
// Kubernetes: pkg/apis/core/validation.ValidateVolumes, validateVolumeSource
import { type At, duplicate, type FieldError, forbidden, invalid, required } from '../../../../machinery/field-error.ts'
import { goQuote } from '../../../../machinery/go-text.ts'
import { isDns1123Label, isDns1123Subdomain, isLongerThan } from '../../../../machinery/validation/names.ts'
import type { ObjectMeta, Volume } from '../../../../types.ts'
import type { PodValidationOptions } from './facts.ts'
import { addProblems } from './names.ts'
import { volumeSources } from './volume-sources.ts'

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

type SourceName = keyof typeof volumeSources

const sourceNames = Object.keys(volumeSources) as SourceName[]

/** The messages about a second source name a few of them differently. */
const refusedAs: Partial<Record<SourceName, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' }

/** The first source is validated, further ones are errors. */
function checkSource(errors: FieldError[], volume: Volume, podName: string, at: At, options: PodValidationOptions): void {
  let isFirst = true
  for (const source of sourceNames) {
    if (!volume[source]) continue
    if (isFirst) checkOneSource(errors, source, volume, podName, at, options)
    else errors.push(forbidden(`${at()}.${refusedAs[source] ?? source}`, 'may not specify more than 1 volume type'))
    if (source === 'iscsi') checkIscsiLength(errors, volume, at)
    isFirst = false
  }
  if (isFirst) errors.push(required(at(), 'must specify a volume type'))
}

function checkOneSource(
  errors: FieldError[],
  source: SourceName,
  volume: Volume,
  podName: string,
  at: At,
  options: PodValidationOptions,
): void {
  volumeSources[source](errors, volume, at, options)
  if (source !== 'ephemeral' || podName === '' || !volume.name) return
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
