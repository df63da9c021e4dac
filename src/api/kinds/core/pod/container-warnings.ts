// Warnings about containers and their ports, with Kubernetes' texts.
// Kubernetes: pkg/api/pod.warningsForPodSpecAndMeta
import { isEqualJson } from '../../../../base/json.ts'
import { parseQuantity } from '../../../../base/quantity.ts'
import { isCountable } from '../../../machinery/validation/resources.ts'
import type { Container, PodSpec } from '../../../types.ts'
import { appArmorAnnotation, appArmorProfileOf } from './app-armor.ts'

type Annotations = Readonly<Record<string, string>>
type Port = NonNullable<Container['ports']>[number]

/** A container and its path: `spec.containers[0]`. */
export interface PlacedContainer {
  readonly container: Container
  readonly path: string
}

export const useSeccompField = 'non-functional in v1.27+; use the "seccompProfile" field instead'

export function containerWarnings({ container, path }: PlacedContainer, annotations: Annotations, prefix: string, spec: PodSpec): string[] {
  const { resources, securityContext, name } = container
  const warnings: string[] = []
  const seccomp = `container.seccomp.security.alpha.kubernetes.io/${name}`
  if (!securityContext?.seccompProfile && Object.hasOwn(annotations, seccomp))
    warnings.push(`${prefix}metadata.annotations[${seccomp}]: ${useSeccompField}`)
  const appArmor = `${appArmorAnnotation}${name}`
  if (Object.hasOwn(annotations, appArmor) && isAppArmorDeprecated(annotations[appArmor]!, container, prefix, spec))
    warnings.push(`${prefix}metadata.annotations[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`)
  for (const resource of ['memory', 'ephemeral-storage'])
    for (const list of ['limits', 'requests'] as const)
      warnings.push(...fractionWarnings(`${path}.resources.${list}[${resource}]`, resources?.[list]?.[resource]))
  return [...warnings, ...hiddenVariables(container, path)]
}

/** In a pod the annotation was copied to the field before, except under Windows. In a template it may be set without the field. */
function isAppArmorDeprecated(annotation: string, { securityContext }: Container, prefix: string, spec: PodSpec): boolean {
  if (prefix === '' && spec.os?.name === 'windows') return false
  const meant = appArmorProfileOf(annotation)
  const own = securityContext?.appArmorProfile
  if (own !== undefined) return prefix === '' && isEqualJson(own, meant)
  const ofPod = spec.securityContext?.appArmorProfile
  return ofPod === undefined || !isEqualJson(ofPod, meant)
}

/** A variable that is set twice, unless the second value refers to the first. */
function hiddenVariables({ env }: Container, path: string): string[] {
  const warnings: string[] = []
  const seen = new Set<string>()
  for (const [i, { name, value = '', valueFrom }] of (env ?? []).entries()) {
    const reference = `$(${name})`
    if (seen.has(name) && (valueFrom !== undefined || value === reference || !value.includes(reference)))
      warnings.push(`${path}.env[${i}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`)
    seen.add(name)
  }
  return warnings
}

interface PlacedPort {
  readonly port: Port
  readonly path: string
}

// Bounds the comparison of every port with every other one.
const maxCompared = 20

export function portWarnings(containers: readonly PlacedContainer[]): string[] {
  const warnings: string[] = []
  const names: string[] = []
  const byNumber = new Map<string, PlacedPort[]>()
  const byName = new Map<string, string>()
  for (const { container, path } of containers)
    for (const [i, port] of (container.ports ?? []).entries()) {
      const here = `${path}.ports[${i}]`
      if (port.hostIP && !port.hostPort) warnings.push(`${here}: hostIP set without hostPort: ${goPort(port)}`)
      const key = `${port.containerPort}/${port.protocol}`
      const others = byNumber.get(key)
      for (const other of (others ?? []).slice(0, maxCompared)) {
        const conflict = portConflict(port, other.port)
        if (conflict !== undefined) warnings.push(`${here}: ${conflict} port definition with ${other.path}`)
      }
      if (others) others.push({ port, path: here })
      else byNumber.set(key, [{ port, path: here }])
      if (!port.name) continue
      const first = byName.get(port.name)
      if (first === undefined) byName.set(port.name, here)
      else
        names.push(
          `${here}: duplicate port name ${JSON.stringify(port.name)} with ${first}, services and probes that select ports by name will use ${first}`,
        )
    }
  return [...warnings, ...names]
}

function portConflict(port: Port, other: Port): string | undefined {
  const [address, otherAddress] = [port.hostIP ?? '', other.hostIP ?? '']
  const [number, otherNumber] = [port.hostPort ?? 0, other.hostPort ?? 0]
  if (address === otherAddress && number === otherNumber) return 'duplicate'
  if (number === 0 || otherNumber === 0) return 'overlapping'
  return number === otherNumber && (address === '') !== (otherAddress === '') ? 'dangerously ambiguous' : undefined
}

/** As Go prints the struct. */
function goPort({ name = '', hostPort = 0, containerPort, protocol = '', hostIP = '' }: Port): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`
}

export function fractionWarnings(path: string, text: string | undefined): string[] {
  if (text === undefined || /^[0-9]{1,12}(?:[kKMGT]i?)?$/.test(text)) return []
  const quantity = parseQuantity(text)
  if (quantity === undefined || isCountable(quantity)) return []
  return [`${path}: fractional byte value ${JSON.stringify(text)} is invalid, must be an integer`]
}
