// Volumes that show parts of other objects: the downward API, and several sources in one directory.
// Kubernetes: pkg/apis/core/validation.validateProjectedVolumeSource, validateProjectionSources, validateDownwardAPIVolumeSource
// Kubernetes: pkg/apis/core/validation.validateDownwardAPIVolumeFile, ValidateClusterTrustBundleName
import { type At, type FieldError, forbidden, invalid, notSupported, required } from '../../../../machinery/field-error.ts'
import { validateAnnotations, validateLabelSelector } from '../../../../machinery/validation/metadata.ts'
import { isDns1123Subdomain } from '../../../../machinery/validation/names.ts'
import { validateDomainPrefixedKey, validateSignerName } from '../../../../machinery/validation/names-in-fields.ts'
import type { Volume } from '../../../../types.ts'
import { checkFieldReference, checkResourceReference } from './env.ts'
import { internalForm } from './internal-form.ts'
import { checkKeyToPath, checkMode, checkNonReservedPath, isGiven } from './names.ts'

type Projected = NonNullable<Volume['projected']>
type Projection = NonNullable<Projected['sources']>[number]
type DownwardApi = NonNullable<Volume['downwardAPI']>
type DownwardApiFile = NonNullable<DownwardApi['items']>[number]
type TrustBundle = NonNullable<Projection['clusterTrustBundle']>
type PodCertificate = NonNullable<Projection['podCertificate']>

const volumeFieldPaths = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid']

/** All errors about files have the path of their volume, as in Kubernetes. */
export function checkDownwardApiVolume(errors: FieldError[], { defaultMode, items }: DownwardApi, at: At): void {
  checkMode(errors, defaultMode, () => `${at()}.defaultMode`)
  for (const file of items ?? []) checkDownwardApiFile(errors, file, at)
}

function checkDownwardApiFile(errors: FieldError[], { path = '', fieldRef, resourceFieldRef, mode }: DownwardApiFile, at: At): void {
  if (path === '') errors.push(required(`${at()}.path`, ''))
  checkNonReservedPath(errors, path, () => `${at()}.path`)
  if (fieldRef) {
    checkFieldReference(errors, fieldRef, volumeFieldPaths, () => `${at()}.fieldRef`)
    if (resourceFieldRef) errors.push(invalid(at(), 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'))
  } else if (resourceFieldRef) checkResourceReference(errors, resourceFieldRef, true, () => `${at()}.resourceFieldRef`)
  else errors.push(required(at(), 'one of fieldRef and resourceFieldRef is required'))
  checkMode(errors, mode, () => `${at()}.mode`)
}

export function checkProjectedVolume(
  errors: FieldError[],
  { defaultMode, sources }: Projected,
  at: At,
  allowNonLocalTokenPath: boolean,
): void {
  checkMode(errors, defaultMode, () => `${at()}.defaultMode`)
  const paths = new Set<string>()
  const takePath = (path: string, shown = path) => {
    if (paths.has(path)) errors.push(invalid(at(), shown, 'conflicting duplicate paths'))
    else paths.add(path)
  }
  for (const [index, source] of (sources ?? []).entries()) {
    const here = () => `${at()}.sources[${index}]`
    const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source
    for (const [field, values] of [
      ['secret', secret],
      ['configMap', configMap],
    ] as const) {
      if (!values) continue
      const { name = '', items } = values
      if (name === '') errors.push(required(`${here()}.${field}.name`, ''))
      for (const [itemIndex, item] of (items ?? []).entries()) {
        checkKeyToPath(errors, item, () => `${here()}.${field}.items[${itemIndex}]`)
        if (item.path) takePath(item.path, name)
      }
    }
    for (const file of downwardAPI?.items ?? []) {
      checkDownwardApiFile(errors, file, () => `${here()}.downwardAPI`)
      if (file.path) takePath(file.path)
    }
    if (serviceAccountToken) {
      const { expirationSeconds = 0, path = '' } = serviceAccountToken
      const expiration = () => `${here()}.serviceAccountToken.expirationSeconds`
      if (expirationSeconds < 600) errors.push(invalid(expiration(), expirationSeconds, 'may not specify a duration less than 10 minutes'))
      if (expirationSeconds > 2 ** 32)
        errors.push(invalid(expiration(), expirationSeconds, 'may not specify a duration larger than 2^32 seconds'))
      if (path === '') errors.push(required(`${at()}.path`, ''))
      else if (!allowNonLocalTokenPath) checkNonReservedPath(errors, path, () => `${at()}.path`)
    }
    if (clusterTrustBundle) checkTrustBundle(errors, clusterTrustBundle, () => `${here()}.clusterTrustBundle`, takePath)
    if (podCertificate) checkPodCertificate(errors, podCertificate, () => `${here()}.podCertificate`, takePath)
    const count = [secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate].filter(Boolean).length
    if (count > 1) errors.push(forbidden(here(), 'may not specify more than 1 volume type per source'))
  }
}

function checkTrustBundle(errors: FieldError[], bundle: TrustBundle, at: At, takePath: (path: string) => void): void {
  const { name, signerName, labelSelector, path = '' } = bundle
  if (isGiven(name) && isGiven(signerName))
    errors.push(invalid(at(), internalForm('ClusterTrustBundleProjection', bundle), 'only one of name and signerName may be used'))
  else if (isGiven(name)) {
    if (name === '') errors.push(required(`${at()}.name`, 'must be a valid object name'))
    for (const problem of trustBundleNameProblems(name))
      errors.push(invalid(`${at()}.name`, name, `not a valid clustertrustbundlename: ${problem}`))
    if (labelSelector) errors.push(invalid(`${at()}.labelSelector`, labelSelector, 'labelSelector must be unset if name is specified'))
  } else if (isGiven(signerName)) {
    if (signerName === '') errors.push(required(`${at()}.signerName`, 'must be a valid signer name'))
    errors.push(...validateSignerName(signerName, `${at()}.signerName`))
    errors.push(...validateLabelSelector(labelSelector, `${at()}.labelSelector`))
  } else errors.push(required(at(), 'either name or signerName must be specified'))
  if (path === '') errors.push(required(`${at()}.path`, ''))
  checkNonReservedPath(errors, path, () => `${at()}.path`)
  takePath(path)
}

function trustBundleNameProblems(name: string): readonly string[] {
  const colon = name.lastIndexOf(':')
  if (colon < 0) return isDns1123Subdomain(name)
  const signer = name.slice(0, colon).replaceAll(':', '/')
  // There is no signer before the colon.
  if (signer === '') return ['ClusterTrustBundle without signer name must not have ":" in its name']
  return isDns1123Subdomain(name.slice(colon + 1))
}

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519']

function checkPodCertificate(errors: FieldError[], certificate: PodCertificate, at: At, takePath: (path: string) => void): void {
  const { signerName = '', keyType = '', maxExpirationSeconds } = certificate
  errors.push(...validateSignerName(signerName, `${at()}.signerName`))
  const userAnnotations = (certificate as { readonly userAnnotations?: Readonly<Record<string, string>> }).userAnnotations
  if (userAnnotations) {
    const where = `${at()}.userAnnotations`
    for (const key of Object.keys(userAnnotations)) errors.push(...validateDomainPrefixedKey(key.toLowerCase(), where))
    errors.push(...validateAnnotations(userAnnotations, where).filter(({ type }) => type === 'FieldValueTooLong'))
  }
  if (!keyTypes.includes(keyType)) errors.push(notSupported(`${at()}.keyType`, keyType, keyTypes))
  if (isGiven(maxExpirationSeconds)) {
    const host = signerName.split('/')[0]!
    const most = host === 'kubernetes.io' || host.endsWith('.kubernetes.io') ? 86400 : 91 * 86400
    const refuse = (rule: string) =>
      errors.push(invalid(`${at()}.maxExpirationSeconds`, maxExpirationSeconds, `if provided, maxExpirationSeconds must be ${rule}`))
    if (maxExpirationSeconds < 3600) refuse('>= 3600')
    if (maxExpirationSeconds > most) refuse(`<= ${most}`)
  }
  const files = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const
  for (const field of files) {
    const path = certificate[field]
    if (!path) continue
    checkNonReservedPath(errors, path, () => `${at()}.${field}`)
    takePath(path)
  }
  if (!files.some((field) => certificate[field]))
    errors.push(required(at(), 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath'))
}
