// The environment variables of a container.
// Kubernetes: pkg/kubelet.Kubelet.makeEnvironmentVariables, Kubelet.GeneratePodHostNameAndDomain, truncatePodHostnameIfNeeded
// Kubernetes: pkg/kubelet/container.ExpandContainerCommandAndArgs
import type { Container, Pod, Service } from '../../api/types.ts'
import { urlHostOf } from '../../base/url.ts'
import { fieldValue, resourceValue } from './downward-api.ts'
import type { SyncContext } from './sync-context.ts'

type EnvVar = NonNullable<Container['env']>[number]

/** Limits of Linux: the length of one argument or variable, and of all together. */
const maxArgumentLength = 128 * 1024
const maxArgumentsLength = 2 * 1024 * 1024

/** The arguments and variables exceed the limits of Linux. */
export class ArgumentsTooLongError extends Error {
  constructor() {
    super('argument list too long')
  }
}

/** Throws ArgumentsTooLongError. */
export function checkArguments(words: readonly string[], variables: ReadonlyMap<string, string>): void {
  let length = 0
  const count = (text: string) => {
    if (text.length >= maxArgumentLength) throw new ArgumentsTooLongError()
    length += text.length + 9
    if (length > maxArgumentsLength) throw new ArgumentsTooLongError()
  }
  for (const word of words) count(word)
  for (const [name, value] of variables) count(`${name}=${value}`)
}

export const hostnameOf = ({ metadata, spec }: Pod): string => spec?.hostname ?? metadata?.name ?? ''

/**
 * The variables, or the message of Kubernetes about a missing reference. Without `isRead` the service variables are omitted:
 * nothing will read them.
 */
export function environmentVariablesOf(sync: SyncContext, container: Container, isRead: boolean): ReadonlyMap<string, string> | string {
  const { pod, environment } = sync
  const variables = new Map<string, string>([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', hostnameOf(pod)],
    ['HOME', '/root'],
    ['KUBERNETES_SERVICE_HOST', '10.96.0.1'],
    ['KUBERNETES_SERVICE_PORT', '443'],
  ])
  if (isRead)
    for (const service of environment.readServices?.(pod.spec?.enableServiceLinks !== false) ?? []) addServiceVariables(variables, service)
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const reference = configMapRef ?? secretRef
    if (reference === undefined || environment.readData === undefined) continue
    const data = environment.readData(configMapRef ? 'ConfigMap' : 'Secret', reference.name ?? '')
    if (data === undefined && !reference.optional)
      return `${configMapRef ? 'configmap' : 'secret'} ${JSON.stringify(reference.name)} not found`
    const entries = Object.entries(data ?? {})
    sync.work.spend(entries.length / 5)
    for (const [name, value] of entries) variables.set(prefix + name, value)
  }
  sync.work.spend(variables.size / 20 + (container.env?.length ?? 0) / 2)
  for (const variable of container.env ?? []) {
    const value = valueFor(sync, container, variable, variables)
    if (value === undefined) continue
    if (typeof value !== 'string') return value.missing
    variables.set(variable.name, value)
  }
  return variables
}

function valueFor(
  sync: SyncContext,
  container: Container,
  { value, valueFrom }: EnvVar,
  known: ReadonlyMap<string, string>,
): string | { missing: string } | undefined {
  if (valueFrom === undefined) return expandReferences(value ?? '', known)
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom
  if (fieldRef) return fieldValue(sync.pod, fieldRef.fieldPath ?? '', sync.environment)
  if (resourceFieldRef) return resourceValue(sync.pod, container, resourceFieldRef, sync.environment)
  const reference = configMapKeyRef ?? secretKeyRef
  if (reference === undefined) return ''
  const { readData } = sync.environment
  if (readData === undefined) return ''
  const data = readData(configMapKeyRef ? 'ConfigMap' : 'Secret', reference.name ?? '')
  const [lower, kind] = configMapKeyRef ? ['configmap', 'ConfigMap'] : ['secret', 'Secret']
  if (data === undefined) return reference.optional ? undefined : { missing: `${lower} ${JSON.stringify(reference.name)} not found` }
  if (Object.hasOwn(data, reference.key)) return data[reference.key]!
  if (reference.optional) return undefined
  return { missing: `couldn't find key ${reference.key} in ${kind} ${sync.pod.metadata?.namespace}/${reference.name}` }
}

/** Replaces `$(NAME)` by a variable that is already defined, and `$$` by a dollar sign. Throws ArgumentsTooLongError. */
export function expandReferences(text: string, known: ReadonlyMap<string, string>): string {
  if (!text.includes('$')) return text
  let length = text.length
  return text.replace(/\$\$|\$\(([A-Za-z_.-][\w.-]*)\)/g, (all, name: string | undefined) => {
    const value = name === undefined ? '$' : (known.get(name) ?? all)
    length += value.length - all.length
    if (length >= maxArgumentLength) throw new ArgumentsTooLongError()
    return value
  })
}

// The environment variables for the services of a namespace and for the API server.
// Kubernetes: pkg/kubelet/envvars.FromServices, makeLinkVariables
// Kubernetes: pkg/kubelet.Kubelet.getServiceEnvVarMap
const variableName = (text: string) => text.toUpperCase().replaceAll('-', '_')

function addServiceVariables(variables: Map<string, string>, { metadata, spec }: Service): void {
  const { clusterIP = '', ports = [] } = spec ?? {}
  const first = ports[0]
  if (clusterIP === '' || clusterIP === 'None' || first === undefined) return
  const name = variableName(metadata?.name ?? '')
  const addressOf = ({ port, protocol = 'TCP' }: typeof first) => `${protocol.toLowerCase()}://${urlHostOf(clusterIP)}:${port}`
  variables.set(`${name}_SERVICE_HOST`, clusterIP)
  variables.set(`${name}_SERVICE_PORT`, String(first.port))
  for (const port of ports) if (port.name) variables.set(`${name}_SERVICE_PORT_${variableName(port.name)}`, String(port.port))
  variables.set(`${name}_PORT`, addressOf(first))
  for (const port of ports) {
    const prefix = `${name}_PORT_${port.port}_${port.protocol ?? 'TCP'}`
    variables.set(prefix, addressOf(port))
    variables.set(`${prefix}_PROTO`, (port.protocol ?? 'TCP').toLowerCase())
    variables.set(`${prefix}_PORT`, String(port.port))
    variables.set(`${prefix}_ADDR`, clusterIP)
  }
}
