// The level baseline: no known way to gain privileges on the node. In the order of Kubernetes' messages.
// Kubernetes: k8s.io/pod-security-admission/policy.CheckAppArmorProfile, CheckCapabilitiesBaseline, CheckHostNamespaces
// Kubernetes: k8s.io/pod-security-admission/policy.CheckHostPathVolumes, CheckHostPorts, CheckHostProbesAndHostLifecycle
// Kubernetes: k8s.io/pod-security-admission/policy.CheckPrivileged, CheckProcMountBaseline, CheckSELinuxOptions, CheckSeccompBaseline
// Kubernetes: k8s.io/pod-security-admission/policy.CheckSysctls, CheckWindowsHostProcess
import { goQuote } from '../../../api/machinery/go-text.ts'
import type { Container, ObjectMeta } from '../../../api/types.ts'
import {
  type Check,
  containersOf,
  containersText,
  namesOf,
  type PodSpec,
  plural,
  quoted,
  type SecurityContext,
  securityOf,
  settersText,
  sorted,
  unlessInUserNamespace,
  type Violation,
} from './check.ts'

type Annotations = Readonly<Record<string, string>>
const annotationsOf = ({ annotations = {} }: ObjectMeta): Annotations => annotations

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/'

function checkAppArmor(spec: PodSpec, metadata: ObjectMeta): Violation | undefined {
  const badType = (context: Pick<SecurityContext, 'appArmorProfile'> | undefined) => {
    const type = context?.appArmorProfile?.type
    return context?.appArmorProfile == null || type === 'RuntimeDefault' || type === 'Localhost' ? undefined : (type ?? '')
  }
  const ofPod = badType(spec.securityContext)
  const bad = containersOf(spec).filter(({ securityContext }) => badType(securityContext) !== undefined)
  const annotations = Object.entries(annotationsOf(metadata))
    .filter(
      ([key, value]) => key.startsWith(appArmorPrefix) && value !== '' && value !== 'runtime/default' && !value.startsWith('localhost/'),
    )
    .map(([key, value]) => `${key}=${goQuote(value)}`)
  const values = [...sorted([ofPod, ...bad.map(({ securityContext }) => badType(securityContext))].filter((one) => one !== undefined))]
  values.push(...sorted(annotations))
  const setters = [
    settersText(
      ofPod !== undefined,
      bad.map(({ name }) => name),
    ),
    annotations.length > 0 ? plural('annotation', annotations.length) : '',
  ].filter((one) => one !== '')
  if (setters.length === 0) return undefined
  return {
    reason: plural('forbidden AppArmor profile', values.length),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  }
}

const defaultCapabilities = new Set([
  ...['AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD', 'NET_BIND_SERVICE', 'SETFCAP', 'SETGID', 'SETPCAP'],
  ...['SETUID', 'SYS_CHROOT'],
])

function checkCapabilities(spec: PodSpec): Violation | undefined {
  const otherThanDefault = (container: Container) =>
    (securityOf(container).capabilities?.add ?? []).filter((one) => !defaultCapabilities.has(one))
  const bad = namesOf(spec, (container) => otherThanDefault(container).length > 0)
  if (bad.length === 0) return undefined
  const added = quoted(sorted(containersOf(spec).flatMap(otherThanDefault)))
  return {
    reason: 'non-default capabilities',
    detail: `${containersText(bad)} must not include ${added} in securityContext.capabilities.add`,
  }
}

function checkHostNamespaces({ hostNetwork, hostPID, hostIPC }: PodSpec): Violation | undefined {
  const used = Object.entries({ hostNetwork, hostPID, hostIPC }).flatMap(([name, isUsed]) => (isUsed ? [`${name}=true`] : []))
  return used.length === 0 ? undefined : { reason: 'host namespaces', detail: used.join(', ') }
}

function checkHostPaths({ volumes = [] }: PodSpec): Violation | undefined {
  const bad = volumes.filter(({ hostPath }) => hostPath != null).map(({ name }) => name)
  if (bad.length === 0) return undefined
  return { reason: 'hostPath volumes', detail: `${plural('volume', bad.length)} ${quoted(bad)}` }
}

function checkHostPorts(spec: PodSpec): Violation | undefined {
  const portsOf = ({ ports = [] }: Container) => ports.flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []))
  const bad = namesOf(spec, (container) => portsOf(container).length > 0)
  if (bad.length === 0) return undefined
  const ports = sorted(containersOf(spec).flatMap(portsOf))
  const uses = bad.length === 1 ? 'uses' : 'use'
  return { reason: 'hostPort', detail: `${containersText(bad)} ${uses} ${plural('hostPort', ports.length)} ${ports.join(', ')}` }
}

interface Handler {
  readonly httpGet?: { readonly host?: string }
  readonly tcpSocket?: { readonly host?: string }
}

function hostsOf({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): readonly string[] {
  const handlers = [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop] as readonly (
    | Handler
    | undefined
  )[]
  return handlers
    .flatMap((one) => [one?.httpGet?.host, one?.tcpSocket?.host])
    .filter((host) => host !== undefined && host !== '') as string[]
}

function checkHandlerHosts(spec: PodSpec): Violation | undefined {
  const bad = sorted(namesOf(spec, (container) => hostsOf(container).length > 0))
  if (bad.length === 0) return undefined
  const hosts = sorted(containersOf(spec).flatMap(hostsOf))
  const uses = bad.length === 1 ? 'uses' : 'use'
  return {
    reason: 'probe or lifecycle host',
    detail: `${containersText(bad)} ${uses} ${plural('probe or lifecycle host', hosts.length)} ${quoted(hosts)}`,
  }
}

function checkPrivileged(spec: PodSpec): Violation | undefined {
  const bad = namesOf(spec, (container) => securityOf(container).privileged === true)
  if (bad.length === 0) return undefined
  return { reason: 'privileged', detail: `${containersText(bad)} must not set securityContext.privileged=true` }
}

export function checkProcMount(spec: PodSpec): Violation | undefined {
  const isBad = (container: Container) => (securityOf(container).procMount ?? 'Default') !== 'Default'
  const bad = containersOf(spec).filter(isBad)
  if (bad.length === 0) return undefined
  const types = quoted(sorted(bad.map((container) => securityOf(container).procMount!)))
  const names = bad.map(({ name }) => name)
  return { reason: 'procMount', detail: `${containersText(names)} must not set securityContext.procMount to ${types}` }
}

const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t']

const checkSeLinux = (allowed: readonly string[]) => (spec: PodSpec) => {
  const isBad = (one: SecurityContext['seLinuxOptions']) => one != null && (!allowed.includes(one.type ?? '') || !!one.user || !!one.role)
  const ofPod = spec.securityContext?.seLinuxOptions
  const bad = containersOf(spec).filter((container) => isBad(securityOf(container).seLinuxOptions))
  if (!isBad(ofPod) && bad.length === 0) return undefined
  const options = [ofPod, ...containersOf(spec).map((container) => securityOf(container).seLinuxOptions)]
  const types = sorted(options.flatMap((one) => (one == null || allowed.includes(one.type ?? '') ? [] : [one.type ?? ''])))
  const data = [
    ...(types.length > 0 ? [`${plural('type', types.length)} ${quoted(types)}`] : []),
    ...(options.some((one) => one?.user) ? ['user may not be set'] : []),
    ...(options.some((one) => one?.role) ? ['role may not be set'] : []),
  ]
  const setters = settersText(
    isBad(ofPod),
    bad.map(({ name }) => name),
  )
  return { reason: 'seLinuxOptions', detail: `${setters} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}` }
}

const seccompPod = 'seccomp.security.alpha.kubernetes.io/pod'
const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/'

/** Until version 1.18 the profile was an annotation. */
function checkSeccompAnnotations(spec: PodSpec, metadata: ObjectMeta): Violation | undefined {
  const annotations = annotationsOf(metadata)
  const keys = [seccompPod, ...containersOf(spec).map(({ name }) => `${seccompPrefix}${name}`)]
  const isAllowed = (value: string) => value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/')
  const bad = sorted(
    keys.flatMap((key) =>
      Object.hasOwn(annotations, key) && !isAllowed(annotations[key]!) ? [`${key}=${goQuote(annotations[key]!)}`] : [],
    ),
  )
  if (bad.length === 0) return undefined
  return { reason: 'seccompProfile', detail: `forbidden ${plural('annotation', bad.length)} ${bad.join(', ')}` }
}

/** The type of a profile that is set and not allowed. */
const badSeccompType = (context: Pick<SecurityContext, 'seccompProfile'> | undefined): string | undefined => {
  if (context?.seccompProfile == null) return undefined
  const { type = '' } = context.seccompProfile
  return type === 'Localhost' || type === 'RuntimeDefault' ? undefined : type
}

export function checkSeccompTypes(spec: PodSpec): Violation | undefined {
  const ofPod = badSeccompType(spec.securityContext)
  const bad = containersOf(spec).filter(({ securityContext }) => badSeccompType(securityContext) !== undefined)
  if (ofPod === undefined && bad.length === 0) return undefined
  const types = [ofPod, ...bad.map(({ securityContext }) => badSeccompType(securityContext))].filter((one) => one !== undefined)
  const setters = settersText(
    ofPod !== undefined,
    bad.map(({ name }) => name),
  )
  return { reason: 'seccompProfile', detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(sorted(types))}` }
}

const sysctlsByVersion: readonly (readonly [from: number, names: readonly string[]])[] = [
  [
    0,
    [
      ...['kernel.shm_rmid_forced', 'net.ipv4.ip_local_port_range', 'net.ipv4.tcp_syncookies', 'net.ipv4.ping_group_range'],
      'net.ipv4.ip_unprivileged_port_start',
    ],
  ],
  [27, ['net.ipv4.ip_local_reserved_ports']],
  [29, ['net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_fin_timeout', 'net.ipv4.tcp_keepalive_intvl', 'net.ipv4.tcp_keepalive_probes']],
  [32, ['net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']],
]

const checkSysctls = (allowed: readonly string[]) => (spec: PodSpec) => {
  const bad = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !allowed.includes(name))
  return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') }
}

function checkHostProcess(spec: PodSpec): Violation | undefined {
  const isHost = (context: Pick<SecurityContext, 'windowsOptions'> | undefined) => context?.windowsOptions?.hostProcess === true
  const setters = settersText(
    isHost(spec.securityContext),
    namesOf(spec, ({ securityContext }) => isHost(securityContext)),
  )
  if (setters === '') return undefined
  return { reason: 'hostProcess', detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` }
}

export const baselineChecks: readonly Check[] = [
  { id: 'appArmorProfile', versions: [{ from: 0, check: checkAppArmor }] },
  { id: 'capabilities_baseline', versions: [{ from: 0, check: checkCapabilities }] },
  { id: 'hostNamespaces', versions: [{ from: 0, check: checkHostNamespaces }] },
  { id: 'hostPathVolumes', versions: [{ from: 0, check: checkHostPaths }] },
  { id: 'hostPorts', versions: [{ from: 0, check: checkHostPorts }] },
  { id: 'hostProbesAndHostLifecycle', versions: [{ from: 34, check: checkHandlerHosts }] },
  { id: 'privileged', versions: [{ from: 0, check: checkPrivileged }] },
  {
    id: 'procMount',
    versions: [
      { from: 0, check: checkProcMount },
      { from: 35, check: unlessInUserNamespace(checkProcMount) },
    ],
  },
  {
    id: 'seLinuxOptions',
    versions: [
      { from: 0, check: checkSeLinux(seLinuxTypes) },
      { from: 31, check: checkSeLinux([...seLinuxTypes, 'container_engine_t']) },
    ],
  },
  {
    id: 'seccompProfile_baseline',
    versions: [
      { from: 0, check: checkSeccompAnnotations },
      { from: 19, check: checkSeccompTypes },
    ],
  },
  {
    id: 'sysctls',
    versions: sysctlsByVersion.map(([from], at) => ({
      from,
      check: checkSysctls(sysctlsByVersion.slice(0, at + 1).flatMap(([, names]) => names)),
    })),
  },
  { id: 'windowsHostProcess', versions: [{ from: 0, check: checkHostProcess }] },
]
