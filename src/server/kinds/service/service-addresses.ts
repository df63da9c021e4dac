// Allocates cluster IPs and node ports for Services, and refuses requested ones that are in use.
// Kubernetes: pkg/registry/core/service/storage.Allocators.*

import { addClusterIpErrors } from '../../../api/kinds/core/service/address-validation.ts'
import { services } from '../../../api/kinds.ts'
import { type FieldError, invalid, typed } from '../../../api/machinery/field-error.ts'
import { replaceFields } from '../../../api/machinery/fields.ts'
import { internalError, invalidError } from '../../../api/machinery/status-error.ts'
import { parseIp } from '../../../api/machinery/validation/ip-address.ts'
import type { Service, Writable } from '../../../api/types.ts'
import type { Random } from '../../../base/random.ts'
import type { Store, StoredRecord } from '../../../store/store.ts'

// 10.96.0.0/12, the range of most clusters. The first addresses are left for Services that request one.
const firstAddress = (10 << 24) | (96 << 16) | (1 << 8)
const addressCount = 2 ** 20 - 512
const firstNodePort = 30_000
const nodePortCount = 2768
const maxTries = 1000

type ServiceSpec = Writable<NonNullable<Service['spec']>>

const isBare = ({ clusterIP, selector }: Pick<ServiceSpec, 'clusterIP' | 'selector'>) =>
  clusterIP === 'None' && Object.keys(selector ?? {}).length === 0

/** The cluster has IPv4 addresses only. A headless Service without a selector has none of its own, and may name any family. */
function familyErrors(spec: ServiceSpec): FieldError[] {
  const { ipFamilyPolicy, ipFamilies = [] } = spec
  const bare = isBare(spec)
  const policy = ipFamilyPolicy ?? (bare ? 'RequireDualStack' : 'SingleStack')
  if (policy === 'SingleStack' && ipFamilies.length > 1) {
    const message = "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified"
    return [invalid('spec.ipFamilyPolicy', typed(policy), message)]
  }
  if (bare) return []
  return [
    ...(ipFamilyPolicy === 'RequireDualStack'
      ? [invalid('spec.ipFamilyPolicy', typed(ipFamilyPolicy), 'this cluster is not configured for dual-stack services')]
      : []),
    ...ipFamilies.flatMap((family, index) =>
      family === 'IPv6' ? [invalid(`spec.ipFamilies[${index}]`, typed(family), 'not configured on this cluster')] : [],
    ),
  ]
}

/** A headless Service without a selector may have endpoints of both families, whatever the cluster has. */
function fillFamilies(spec: ServiceSpec): void {
  if (isBare(spec)) {
    const [first] = spec.ipFamilies ?? ['IPv4']
    spec.ipFamilyPolicy ??= 'RequireDualStack'
    if (spec.ipFamilyPolicy === 'SingleStack') spec.ipFamilies ??= ['IPv4']
    else if ((spec.ipFamilies?.length ?? 0) < 2) spec.ipFamilies = first === 'IPv6' ? ['IPv6', 'IPv4'] : ['IPv4', 'IPv6']
    return
  }
  spec.ipFamilies ??= [spec.clusterIP?.includes(':') ? 'IPv6' : 'IPv4']
  spec.ipFamilyPolicy ??= 'SingleStack'
}

export class ServiceAddresses {
  readonly #store: Store
  readonly #read: (record: StoredRecord) => Service
  readonly #random: Random
  #taken: Map<string, string> | undefined

  constructor(store: Store, random: Random, read: (record: StoredRecord) => Service) {
    this.#store = store
    this.#random = random
    this.#read = read
  }

  /**
   * Fills in addresses and ports, in place. Throws a StatusError (422) when a requested one is in use. Reserves nothing: until the
   * Service is stored, another one can take them.
   */
  assign(service: Writable<Service>, current: Service | undefined): void {
    const given = service.spec as ServiceSpec | undefined
    if (given === undefined || given.type === 'ExternalName') return
    const spec: ServiceSpec = { ...given, ...(given.ports && { ports: given.ports.map((port) => ({ ...port })) }) }
    const owner = `${service.metadata?.namespace}/${service.metadata?.name}`
    const errors: FieldError[] = []
    const refuse = () => {
      if (errors.length > 0) throw invalidError(services, service.metadata?.name ?? '', errors)
    }
    // As in Kubernetes, the rest is validated only where these fields are valid.
    addClusterIpErrors(errors, spec, current?.spec)
    refuse()
    errors.push(...familyErrors(spec))
    refuse()
    if (spec.clusterIP !== undefined && spec.clusterIP !== '') {
      spec.clusterIPs ??= [spec.clusterIP]
      if (parseIp(spec.clusterIP)?.family === 6)
        errors.push(invalid('spec.clusterIPs[0]', spec.clusterIPs, 'IPv6 is not configured on this cluster'))
      refuse()
      if (spec.clusterIP !== 'None' && !this.#isFree(spec.clusterIP, owner))
        errors.push(
          invalid('spec.clusterIPs', spec.clusterIPs, `failed to allocate IP ${spec.clusterIP}: provided IP is already allocated`),
        )
    } else {
      spec.clusterIP = this.#pick(() => addressOf(firstAddress + Math.floor(this.#random.next() * addressCount)))
      spec.clusterIPs = [spec.clusterIP]
    }
    fillFamilies(spec)
    if (spec.type === 'NodePort' || spec.type === 'LoadBalancer') errors.push(...this.#assignNodePorts(spec, owner, current === undefined))
    refuse()
    if (spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local') this.#assignHealthCheck(spec, owner)
    service.spec = replaceFields('core.ServiceSpec', spec, {})
  }

  #assignHealthCheck(spec: ServiceSpec, owner: string): void {
    const { healthCheckNodePort: port } = spec
    const problem = port ? this.#nodePortProblem(port, owner) : undefined
    if (problem !== undefined) throw internalError(`failed to allocate requested HealthCheck NodePort ${port}: ${problem}`)
    const own = new Set((spec.ports ?? []).flatMap(({ nodePort }) => (nodePort ? [nodePort] : [])))
    if (!port) spec.healthCheckNodePort = this.#pickPort(own)
  }

  /** Ports of a new Service that differ in the protocol only get one node port. Kubernetes reports the first error alone. */
  #assignNodePorts(spec: ServiceSpec, owner: string, isNew: boolean): FieldError[] {
    const ports = spec.ports ?? []
    const assigns = spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false
    const own = new Set<number>()
    const byPort = new Map<number, number>()
    for (const [index, port] of ports.entries()) {
      if (!port.nodePort && !assigns) continue
      const known = isNew ? byPort.get(port.port) : undefined
      const requested =
        port.nodePort || (isNew && known === undefined && ports.find((one) => one.port === port.port && one.nodePort)?.nodePort)
      if (requested) {
        const problem = requested === known ? undefined : this.#nodePortProblem(requested, owner, isNew ? own : undefined)
        if (problem !== undefined) return [invalid(`spec.ports[${index}].nodePort`, requested, problem)]
        port.nodePort = requested
      } else port.nodePort = known ?? this.#pickPort(own)
      own.add(port.nodePort)
      if (!byPort.has(port.port)) byPort.set(port.port, port.nodePort)
    }
    return []
  }

  #nodePortProblem(port: number, owner: string, own?: ReadonlySet<number>): string | undefined {
    if (port < firstNodePort || port >= firstNodePort + nodePortCount)
      return `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${firstNodePort + nodePortCount - 1}`
    return this.#isFree(String(port), owner) && !own?.has(port) ? undefined : 'provided port is already allocated'
  }

  #pickPort(own: ReadonlySet<number>): number {
    const random = () => String(firstNodePort + Math.floor(this.#random.next() * nodePortCount))
    return Number(this.#pick(random, (port) => own.has(Number(port))))
  }

  #isFree(value: string, owner: string): boolean {
    const holder = this.#known().get(value)
    return holder === undefined || holder === owner
  }

  #pick(next: () => string, isOwn: (value: string) => boolean = () => false): string {
    const taken = this.#known()
    for (let tries = 0; tries < maxTries; tries++) {
      const value = next()
      if (!taken.has(value) && !isOwn(value)) return value
    }
    throw internalError('failed to allocate an address or a port of a Service: range is full')
  }

  /** The Service that uses each address or port: read once, then updated by a watch. */
  #known(): ReadonlyMap<string, string> {
    if (this.#taken !== undefined) return this.#taken
    const taken = new Map<string, string>()
    this.#taken = taken
    const { records, revision } = this.#store.list('services/')
    for (const record of records) this.#note(record, taken)
    this.#store.watch('services/', revision, (events) => {
      for (const { type, record, previous } of events) {
        if (previous !== undefined) for (const value of valuesOf(this.#read(previous))) taken.delete(value)
        if (type === 'put') this.#note(record, taken)
      }
    })
    return taken
  }

  #note(record: StoredRecord, taken: Map<string, string>): void {
    const service = this.#read(record)
    for (const value of valuesOf(service)) taken.set(value, `${service.metadata?.namespace}/${service.metadata?.name}`)
  }
}

function valuesOf({ spec }: Service): string[] {
  return [
    ...(spec?.clusterIPs ?? []).filter((address) => address !== 'None'),
    ...(spec?.ports ?? []).flatMap(({ nodePort }) => (nodePort ? [String(nodePort)] : [])),
    ...(spec?.healthCheckNodePort ? [String(spec.healthCheckNodePort)] : []),
  ]
}

const addressOf = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
