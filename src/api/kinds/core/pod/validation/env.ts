// Environment variables, and what the downward API may read for them and for volumes.
// Kubernetes: pkg/apis/core/validation.ValidateEnv, ValidateEnvFrom, validateEnvVarValueFrom, validateObjectFieldSelector
// Kubernetes: pkg/apis/core/validation.validateContainerResourceFieldSelector, validateContainerResourceDivisor
// Kubernetes: pkg/apis/core/pods.ConvertDownwardAPIFieldLabel
import { formatQuantity } from '../../../../../base/quantity.ts'
import { type At, type FieldError, invalid, notSupported, required } from '../../../../machinery/field-error.ts'
import {
  isConfigMapKey,
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  isRelaxedEnvVarName,
} from '../../../../machinery/validation/names.ts'
import { quantityOf } from '../../../../machinery/validation/resources.ts'
import type { Container } from '../../../../types.ts'
import { addProblems, checkNoBacksteps } from './names.ts'

type EnvVar = NonNullable<Container['env']>[number]
type EnvVarSource = NonNullable<EnvVar['valueFrom']>
type FieldReference = NonNullable<EnvVarSource['fieldRef']>
type ResourceReference = NonNullable<EnvVarSource['resourceFieldRef']>

export function checkEnv(errors: FieldError[], env: readonly EnvVar[], at: At): void {
  for (let index = 0; index < env.length; index++) {
    const { name, value, valueFrom } = env[index]!
    if (!name) errors.push(required(`${at()}.env[${index}].name`, ''))
    else addProblems(errors, isRelaxedEnvVarName(name), name, () => `${at()}.env[${index}].name`)
    if (valueFrom) checkValueFrom(errors, value, valueFrom, () => `${at()}.env[${index}].valueFrom`)
  }
}

function checkValueFrom(errors: FieldError[], value: string | undefined, source: EnvVarSource, at: At): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source
  if (fieldRef) checkFieldReference(errors, fieldRef, envFieldPaths, () => `${at()}.fieldRef`)
  if (resourceFieldRef) checkResourceReference(errors, resourceFieldRef, false, () => `${at()}.resourceFieldRef`)
  if (configMapKeyRef) checkKeySelector(errors, configMapKeyRef, () => `${at()}.configMapKeyRef`)
  if (secretKeyRef) checkKeySelector(errors, secretKeyRef, () => `${at()}.secretKeyRef`)
  if (fileKeyRef) checkFileKey(errors, fileKeyRef, () => `${at()}.fileKeyRef`)
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(Boolean).length
  if (count === 0)
    errors.push(invalid(at(), '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'))
  else if (value) errors.push(invalid(at(), '', 'may not be specified when `value` is not empty'))
  else if (count > 1) errors.push(invalid(at(), '', 'may not have more than one field specified at a time'))
}

function checkKeySelector(errors: FieldError[], { name = '', key }: { readonly name?: string; readonly key?: string }, at: At): void {
  addProblems(errors, isDns1123Subdomain(name), name, () => `${at()}.name`)
  if (!key) errors.push(required(`${at()}.key`, ''))
  else addProblems(errors, isConfigMapKey(key), key, () => `${at()}.key`)
}

function checkFileKey(errors: FieldError[], { key, volumeName, path }: NonNullable<EnvVarSource['fileKeyRef']>, at: At): void {
  if (!key) errors.push(required(`${at()}.key`, ''))
  else addProblems(errors, isRelaxedEnvVarName(key), key, () => `${at()}.key`)
  if (!volumeName) errors.push(required(`${at()}.volumeName`, ''))
  else addProblems(errors, isDns1123Label(volumeName), volumeName, () => `${at()}.volumeName`)
  if (!path) errors.push(required(`${at()}.path`, ''))
  else checkNoBacksteps(errors, path, () => `${at()}.path`)
}

export function checkEnvFrom(errors: FieldError[], sources: NonNullable<Container['envFrom']>, at: At): void {
  for (const [index, { prefix, configMapRef, secretRef }] of sources.entries()) {
    const here = () => `${at()}.envFrom[${index}]`
    if (prefix) addProblems(errors, isRelaxedEnvVarName(prefix), prefix, () => `${here()}.prefix`)
    if (configMapRef) checkSourceName(errors, configMapRef.name, () => `${here()}.configMapRef.name`)
    if (secretRef) checkSourceName(errors, secretRef.name, () => `${here()}.secretRef.name`)
    if (!configMapRef && !secretRef) errors.push(invalid(`${at()}.envFrom`, '', 'must specify one of: `configMapRef` or `secretRef`'))
    else if (configMapRef && secretRef) errors.push(invalid(`${at()}.envFrom`, '', 'may not have more than one field specified at a time'))
  }
}

function checkSourceName(errors: FieldError[], name: string | undefined, at: At): void {
  if (!name) errors.push(required(at(), ''))
  // A trailing dash passes, because Kubernetes reads this as the start of a name.
  else addProblems(errors, isDns1123Subdomain(name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name), name, at)
}

const envFieldPaths: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]

const readablePaths = new Set([
  ...envFieldPaths,
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
])

/** `metadata.labels['app']` is a path and a subscript. */
function splitSubscript(path: string): readonly [string, string] | undefined {
  if (!path.endsWith("']")) return undefined
  const text = path.slice(0, -2)
  const start = text.indexOf("['")
  return start > 0 ? [text.slice(0, start), text.slice(start + 2)] : undefined
}

export function checkFieldReference(
  errors: FieldError[],
  { apiVersion, fieldPath }: FieldReference,
  supported: readonly string[],
  at: At,
): void {
  if (!apiVersion) {
    errors.push(required(`${at()}.apiVersion`, ''))
    return
  }
  if (!fieldPath) {
    errors.push(required(`${at()}.fieldPath`, ''))
    return
  }
  const subscripted = splitSubscript(fieldPath)
  const path = subscripted === undefined && fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath
  const why = unreadable(apiVersion, path, subscripted)
  if (why !== '') errors.push(invalid(`${at()}.fieldPath`, fieldPath, `error converting fieldPath: ${why}`))
  else if (subscripted !== undefined) {
    const [map, key] = subscripted
    const subscript = map === 'metadata.annotations' ? key.toLowerCase() : key
    addProblems(errors, isQualifiedName(subscript), subscript, at)
  } else if (!supported.includes(path)) errors.push(notSupported(`${at()}.fieldPath`, path, supported))
}

function unreadable(apiVersion: string, path: string, subscripted: readonly [string, string] | undefined): string {
  if (apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`
  if (subscripted !== undefined) {
    const isMap = subscripted[0] === 'metadata.annotations' || subscripted[0] === 'metadata.labels'
    return isMap ? '' : `field label does not support subscript: ${path}`
  }
  return readablePaths.has(path) ? '' : `field label not supported: ${path}`
}

const resourcePaths = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
]
const isHugePagePath = (path: string) => path.startsWith('limits.hugepages-') || path.startsWith('requests.hugepages-')

export function checkResourceReference(errors: FieldError[], reference: ResourceReference, isVolume: boolean, at: At): void {
  const { containerName, resource = '', divisor } = reference
  if (isVolume && !containerName) errors.push(required(`${at()}.containerName`, ''))
  else if (resource === '') errors.push(required(`${at()}.resource`, ''))
  else if (!resourcePaths.includes(resource) && !isHugePagePath(resource))
    errors.push(notSupported(`${at()}.resource`, resource, resourcePaths))
  if (divisor) checkDivisor(errors, resource, divisor, at)
}

const byteDivisors = new Set(['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'])
const byteDivisorList = '1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei'

function checkDivisor(errors: FieldError[], resource: string, divisor: string, at: At): void {
  const quantity = quantityOf(divisor)
  if (quantity.nano === 0n) return
  const text = formatQuantity(quantity)
  const refuse = (values: string, what: string) =>
    errors.push(invalid(`${at()}.divisor`, resource, `only divisor's values ${values} are supported with the ${what} resource`))
  if (resource === 'limits.cpu' || resource === 'requests.cpu') {
    if (text !== '1m' && text !== '1') refuse('1m and 1', 'cpu')
  } else if (byteDivisors.has(text)) return
  else if (resource === 'limits.memory' || resource === 'requests.memory') refuse(byteDivisorList, 'memory')
  else if (resource === 'limits.ephemeral-storage' || resource === 'requests.ephemeral-storage')
    refuse(byteDivisorList, 'local ephemeral storage')
  else if (isHugePagePath(resource)) refuse(byteDivisorList, 'hugepages')
}
