// Where a webhook is: the clientConfig of a configuration or of a CustomResourceDefinition.
// Kubernetes: k8s.io/apiserver/pkg/util/webhook.ClientManager.HookClient, ClientConfig
import { endpointSlices, endpoints, pods, services } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { EndpointSlice, Endpoints, KubernetesObject, Pod, Service } from '../../api/types.ts'

/** A server in a simulated pod. */
export interface PodServer {
  /** Its certificate, as PEM. */
  readonly certificate: string
  post(path: string, body: string): Promise<{ readonly code: number; readonly body: string }>
}

/** The server that listens on the port in the simulated pod. Undefined: no server listens there. */
export type FindPodServer = (pod: Pod, port: number) => PodServer | undefined

export interface ClientConfig {
  readonly url?: string
  readonly service?: { readonly namespace: string; readonly name: string; readonly path?: string; readonly port?: number }
  /** PEM in base64; without it, the machine's authorities are trusted. */
  readonly caBundle?: string
}

export interface WebhookAddress {
  /** As messages show it, without a query. */
  readonly url: string
  /** Where to connect, if not to the host of the URL. */
  readonly host?: string
  readonly port?: number
  /** The server in the simulated pod, which is called without a connection. */
  readonly server?: PodServer
}

/** The endpoint of a service is a simulated pod, in which no server runs. */
export class SimulatedPodError extends Error {}

export interface ServiceReader {
  read(kind: Kind, namespace: string, name: string): KubernetesObject | undefined
  list(kind: Kind, namespace: string): readonly KubernetesObject[]
  readonly findPodServer: FindPodServer
}

/** Throws an Error for a service that cannot be reached, in the words of a request that failed. */
export function addressOf({ url, service }: ClientConfig, reader: ServiceReader, timeoutSeconds: number): WebhookAddress {
  if (url !== undefined) return { url }
  if (service === undefined) throw new Error('webhook configuration must have either service or URL')
  const { namespace, name, path = '/', port = 443 } = service
  const shown = `https://${name}.${namespace}.svc:${port}${path.startsWith('/') ? path : `/${path}`}`
  try {
    return { url: shown, ...resolveService(reader, namespace, name, port) }
  } catch (error) {
    throw new Error(`failed to call webhook: Post ${JSON.stringify(`${shown}?timeout=${timeoutSeconds}s`)}: ${(error as Error).message}`)
  }
}

/** Whether the service leads to pods of the cluster, all of which are simulated. */
export function isInPods({ service }: ClientConfig, reader: ServiceReader): boolean {
  const found = service && (reader.read(services, service.namespace, service.name) as Service | undefined)
  return found?.spec?.type !== 'ExternalName' && Object.keys(found?.spec?.selector ?? {}).length > 0
}

/**
 * Where to connect to reach the service: the host that it names (ExternalName), an endpoint that a user maintains, or the server in a
 * simulated pod. Throws an Error if it has none of these.
 */
export function resolveService(
  reader: ServiceReader,
  namespace: string,
  name: string,
  port: number,
): { readonly host: string; readonly port: number; readonly server?: PodServer } {
  const read = <T>(kind: Kind, one: string) => reader.read(kind, namespace, one) as T | undefined
  const service = read<Service>(services, name)
  if (service === undefined) throw new Error(`service ${JSON.stringify(name)} not found`)
  const { type, externalName, ports = [] } = service.spec ?? {}
  if (type === 'ExternalName' && externalName) return { host: externalName, port }
  const chosen = ports.find((one) => one.port === port)
  if (chosen === undefined) throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`)
  for (const { addresses = [], ports: open = [] } of read<Endpoints>(endpoints, name)?.subsets ??
    subsetsOf(reader.list(endpointSlices, namespace) as EndpointSlice[], name)) {
    const target = open.find((one) => (one.name ?? '') === (chosen.name ?? ''))
    const [address] = addresses
    if (target === undefined || address === undefined) continue
    if (address.targetRef?.kind !== 'Pod') return { host: address.ip, port: target.port }
    const pod = read<Pod>(pods, address.targetRef.name ?? '')
    const server = pod && reader.findPodServer(pod, target.port)
    if (server !== undefined) return { host: address.ip, port: target.port, server }
    throw new SimulatedPodError(`dial tcp ${address.ip}:${target.port}: connect: connection refused (no server runs in a simulated pod)`)
  }
  throw new Error(`no endpoints available for service ${JSON.stringify(name)}`)
}

const serviceNameLabel = 'kubernetes.io/service-name'

export const slicesOf = (slices: readonly EndpointSlice[], service: string): readonly EndpointSlice[] =>
  slices.filter(({ metadata }) => metadata?.labels?.[serviceNameLabel] === service)

/** The ready addresses of EndpointSlices, in the form of an Endpoints object: for a service that has none. */
function subsetsOf(slices: readonly EndpointSlice[], service: string): NonNullable<Endpoints['subsets']> {
  return slicesOf(slices, service).map(({ endpoints: all, ports }) => ({
    addresses: (all ?? []).flatMap(({ addresses, conditions, targetRef }) =>
      (conditions?.ready ?? true) ? addresses.slice(0, 1).map((ip) => ({ ip, ...(targetRef && { targetRef }) })) : [],
    ),
    ports: (ports ?? []).flatMap(({ name, port }) => (port === undefined ? [] : [{ port, ...(name && { name }) }])),
  }))
}
