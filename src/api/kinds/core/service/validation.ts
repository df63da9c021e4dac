// Kubernetes: pkg/apis/core/validation.ValidateServiceCreate, ValidateServiceUpdate, ValidateServiceStatusUpdate, validateService
// Kubernetes: pkg/apis/core/validation.validateServicePort, validateServiceExternalTrafficPolicy
// Kubernetes: pkg/apis/core/validation.validateServiceInternalTrafficFieldsValue, validateLoadBalancerClassField
// Kubernetes: pkg/apis/core/validation.ValidateLoadBalancerStatus
import { duplicate, type FieldError, forbidden, invalid, notSupported, required, shownAs, typed } from '../../../machinery/field-error.ts'
import { addEnumErrors, addUnsupported } from '../../../machinery/validation/enums.ts'
import { isCidr, isValidIp, parseIp } from '../../../machinery/validation/ip-address.ts'
import { validateLabels } from '../../../machinery/validation/metadata.ts'
import {
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  isValidPortName,
  isValidPortNumber,
} from '../../../machinery/validation/names.ts'
import type { Service } from '../../../types.ts'
import { addProtocolErrors, validateEndpointIp } from '../endpoints/validation.ts'
import { addClusterIpChanges, addClusterIpErrors, isHeadless } from './address-validation.ts'

type ServiceSpec = Partial<NonNullable<Service['spec']>>

export function validateService(service: Service): FieldError[] {
  const first = addressErrors(service.spec ?? {}, undefined)
  return first.length > 0 ? first : validate(service, undefined)
}

/** Kubernetes checks these before it assigns addresses, and everything else after that. */
function addressErrors(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  const errors: FieldError[] = []
  addClusterIpErrors(errors, spec, old)
  return errors
}

export function validateServiceUpdate(next: Service, current: Service): FieldError[] {
  const errors: FieldError[] = []
  const spec = next.spec ?? {}
  const old = current.spec ?? {}
  const first = addressErrors(spec, old)
  if (first.length > 0) return first
  addClusterIpChanges(errors, spec, old)
  if (spec.type === 'LoadBalancer' && old.type === 'LoadBalancer' && spec.loadBalancerClass !== old.loadBalancerClass)
    errors.push(
      invalid(
        'spec.loadBalancerClass',
        spec.loadBalancerClass === undefined ? undefined : typed(spec.loadBalancerClass),
        'may not change once set',
      ),
    )
  addLoadBalancerClassErrors(errors, spec)
  if (needsHealthCheck(old) && needsHealthCheck(spec) && spec.healthCheckNodePort !== old.healthCheckNodePort)
    errors.push(forbidden('spec.healthCheckNodePort', 'field is immutable'))
  errors.push(...validate(next, old))
  return errors
}

const needsHealthCheck = (spec: ServiceSpec) => spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local'

function validate({ spec: asked }: Service, old: ServiceSpec | undefined): FieldError[] {
  const errors: FieldError[] = []
  const spec: ServiceSpec = asked ?? {}
  const ports = spec.ports ?? []
  if (ports.length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName') errors.push(required('spec.ports', ''))
  addTypeErrors(errors, spec)
  addPortErrors(errors, ports)
  errors.push(...validateLabels(spec.selector, 'spec.selector'))
  addAffinityErrors(errors, spec)
  addClusterIpErrors(errors, spec, old)
  for (const [index, ip] of (spec.externalIPs ?? []).entries()) {
    const path = `spec.externalIPs[${index}]`
    const wrong = old?.externalIPs?.includes(ip) ? [] : isValidIp(ip)
    errors.push(...(wrong.length > 0 ? wrong.map((message) => invalid(path, ip, message)) : validateEndpointIp(ip, path)))
  }
  addEnumErrors(errors, spec.type, 'core.ServiceSpec.type', () => 'spec.type')
  addRepeatedPortErrors(errors, spec)
  addLoadBalancerErrors(errors, spec, old)
  addTrafficErrors(errors, spec)
  return errors
}

function addTypeErrors(errors: FieldError[], spec: ServiceSpec): void {
  if ((spec.type === 'LoadBalancer' || spec.type === 'NodePort') && isHeadless(spec))
    errors.push(invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${spec.type} services`))
  if (spec.type !== 'ExternalName') return
  const message = 'may not be set for ExternalName services'
  if ((spec.clusterIPs?.length ?? 0) > 0) errors.push(forbidden('spec.clusterIPs', message))
  if ((spec.ipFamilies?.length ?? 0) > 0) errors.push(forbidden('spec.ipFamilies', message))
  if (spec.ipFamilyPolicy !== undefined) errors.push(forbidden('spec.ipFamilyPolicy', message))
  const name = (spec.externalName ?? '').replace(/\.$/, '')
  if (name === '') errors.push(required('spec.externalName', ''))
  else for (const wrong of isDns1123Subdomain(name)) errors.push(invalid('spec.externalName', name, wrong))
}

function addPortErrors(errors: FieldError[], ports: NonNullable<ServiceSpec['ports']>): void {
  const names = new Set<string>()
  for (const [index, { name, port = 0, protocol, targetPort = 0, appProtocol }] of ports.entries()) {
    const path = `spec.ports[${index}]`
    if (!name) {
      if (ports.length > 1) errors.push(required(`${path}.name`, ''))
    } else {
      for (const message of isDns1123Label(name)) errors.push(invalid(`${path}.name`, name, message))
      if (names.has(name)) errors.push(duplicate(`${path}.name`, name))
      names.add(name)
    }
    for (const message of isValidPortNumber(port)) errors.push(invalid(`${path}.port`, port, message))
    addProtocolErrors(errors, protocol, undefined, path)
    const target: number | string = targetPort
    const wrong = typeof target === 'number' ? isValidPortNumber(target) : isValidPortName(target)
    for (const message of wrong) errors.push(invalid(`${path}.targetPort`, target, message))
    if (appProtocol !== undefined)
      for (const message of isQualifiedName(appProtocol)) errors.push(invalid(`${path}.appProtocol`, appProtocol, message))
  }
}

function addRepeatedPortErrors(errors: FieldError[], { type, ports = [] }: ServiceSpec): void {
  if (type === 'ClusterIP')
    for (const [index, { nodePort }] of ports.entries())
      if (nodePort) errors.push(forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"))
  const nodePorts = new Set<string>()
  for (const [index, { protocol, nodePort }] of ports.entries()) {
    if (!nodePort) continue
    const key = `${protocol}/${nodePort}`
    if (nodePorts.has(key)) errors.push(duplicate(`spec.ports[${index}].nodePort`, nodePort))
    nodePorts.add(key)
  }
  const seen = new Set<string>()
  for (const [index, { protocol = '', port = 0 }] of ports.entries()) {
    const key = `${protocol}/${port}`
    if (seen.has(key)) {
      const shown = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 }
      errors.push(duplicate(`spec.ports[${index}]`, shownAs(JSON.stringify(shown))))
    }
    seen.add(key)
  }
}

function addAffinityErrors(errors: FieldError[], { sessionAffinity, sessionAffinityConfig: config }: ServiceSpec): void {
  const path = 'spec.sessionAffinityConfig'
  addEnumErrors(errors, sessionAffinity, 'core.ServiceSpec.sessionAffinity', () => 'spec.sessionAffinity')
  if (sessionAffinity === 'None' && config !== undefined) errors.push(forbidden(path, 'must not be set when session affinity is None'))
  if (sessionAffinity !== 'ClientIP') return
  const seconds = config?.clientIP?.timeoutSeconds
  const when = 'when session affinity type is ClientIP'
  if (config === undefined) errors.push(required(path, when))
  else if (config.clientIP === undefined) errors.push(required(`${path}.clientIP`, when))
  else if (seconds === undefined) errors.push(required(`${path}.clientIP.timeoutSeconds`, when))
  else if (seconds <= 0 || seconds > 86400)
    errors.push(invalid(`${path}.clientIP.timeoutSeconds`, seconds, 'must be greater than 0 and less than 86400'))
}

const onlyLoadBalancers = "may only be used when `type` is 'LoadBalancer'"

function addLoadBalancerErrors(errors: FieldError[], spec: ServiceSpec, old: ServiceSpec | undefined): void {
  const ranges = spec.loadBalancerSourceRanges ?? []
  // Kubernetes writes this one field with a capital.
  const path = 'spec.LoadBalancerSourceRanges'
  if (ranges.length > 0 && spec.type !== 'LoadBalancer') errors.push(forbidden(path, onlyLoadBalancers))
  const known = new Set(old?.loadBalancerSourceRanges?.map((range) => range.trim()))
  for (const [index, range] of ranges.entries()) {
    const value = range.trim()
    if (!known.has(value)) for (const message of isCidr(value)) errors.push(invalid(`${path}[${index}]`, value, message))
  }
  const allocates = spec.allocateLoadBalancerNodePorts
  if (allocates !== undefined && spec.type !== 'LoadBalancer')
    errors.push(forbidden('spec.allocateLoadBalancerNodePorts', onlyLoadBalancers))
  if (allocates === undefined && spec.type === 'LoadBalancer') errors.push(required('allocateLoadBalancerNodePorts', ''))
  addLoadBalancerClassErrors(errors, spec)
}

function addLoadBalancerClassErrors(errors: FieldError[], { type, loadBalancerClass: name }: ServiceSpec): void {
  if (name === undefined) return
  if (type !== 'LoadBalancer') errors.push(forbidden('spec.loadBalancerClass', onlyLoadBalancers))
  else for (const message of isQualifiedName(name)) errors.push(invalid('spec.loadBalancerClass', name, message))
}

function addTrafficErrors(errors: FieldError[], spec: ServiceSpec): void {
  const { type, externalTrafficPolicy: external, internalTrafficPolicy: internal, trafficDistribution, healthCheckNodePort: port } = spec
  const isExternal = type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0)
  if (!isExternal) {
    if (external) errors.push(invalid('spec.externalTrafficPolicy', typed(external), 'may only be set for externally-accessible services'))
  } else addEnumErrors(errors, external, 'core.ServiceSpec.externalTrafficPolicy', () => 'spec.externalTrafficPolicy')
  if (!needsHealthCheck(spec)) {
    if (port)
      errors.push(
        invalid('spec.healthCheckNodePort', port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"),
      )
  } else if (port) for (const message of isValidPortNumber(port)) errors.push(invalid('spec.healthCheckNodePort', port, message))
  if (internal === undefined) {
    if (type === 'NodePort' || type === 'LoadBalancer' || type === 'ClusterIP') errors.push(required('spec.internalTrafficPolicy', ''))
  } else addUnsupported(errors, internal, 'core.ServiceSpec.internalTrafficPolicy', 'spec.internalTrafficPolicy')
  const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode']
  if (trafficDistribution !== undefined && !distributions.includes(trafficDistribution))
    errors.push(notSupported('spec.trafficDistribution', trafficDistribution, distributions))
}

export function validateServiceStatusUpdate(next: Service, current: Service): FieldError[] {
  const errors: FieldError[] = []
  const ingress = next.status?.loadBalancer?.ingress ?? []
  if (next.spec?.type !== 'LoadBalancer' && ingress.length > 0)
    return [forbidden('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'")]
  const known = new Set(current.status?.loadBalancer?.ingress?.map(({ ip }) => ip))
  for (const [index, { ip, ipMode, hostname }] of ingress.entries()) {
    const path = `status.loadBalancer.ingress[${index}]`
    if (ip && !known.has(ip)) for (const message of isValidIp(ip)) errors.push(invalid(`${path}.ip`, ip, message))
    if (ipMode === undefined) {
      if (ip) errors.push(required(`${path}.ipMode`, 'must be specified when `ip` is set'))
    } else if (!ip) errors.push(forbidden(`${path}.ipMode`, 'may not be specified when `ip` is not set'))
    else addUnsupported(errors, ipMode, ['Proxy', 'VIP'], `${path}.ipMode`)
    if (!hostname) continue
    for (const message of isDns1123Subdomain(hostname)) errors.push(invalid(`${path}.hostname`, hostname, message))
    if (parseIp(hostname) !== undefined) errors.push(invalid(`${path}.hostname`, hostname, 'must be a DNS name, not an IP address'))
  }
  return errors
}
