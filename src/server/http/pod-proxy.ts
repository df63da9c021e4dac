// …/pods/x/proxy/… and …/services/x/proxy/…: the response of a server in a simulated pod.
import { endpoints, pods, services } from '../../api/kinds.ts'
import { badRequestError, failure } from '../../api/machinery/status-error.ts'
import type { Endpoints, Pod, Service } from '../../api/types.ts'
import type { Rest } from '../rest/rest.ts'
import { rewriteLinks } from './proxy-links.ts'
import type { Request } from './request.ts'

/** A request to a server in a pod. */
interface ProxiedRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** A number or the name of a port of the container. */
  readonly port: string
  readonly isTls: boolean
}

interface ProxiedResponse {
  readonly code: number
  readonly body: string
  /** Absent: plain text. */
  readonly contentType?: string
}

/** Undefined: the container is not running, or its server is not simulated. */
export type RespondHttp = (pod: Pod, container: string, request: ProxiedRequest) => ProxiedResponse | undefined

/** A name, or `name:port`, or `scheme:name:port`. */
interface ProxyTarget {
  readonly name: string
  readonly port: string
  readonly isTls: boolean
}

export function splitProxyName(text: string): ProxyTarget {
  const [first = '', second, third] = text.split(':')
  return third === undefined
    ? { name: first, port: second ?? '', isTls: false }
    : { name: second ?? '', port: third, isTls: first === 'https' }
}

/** The first port of the containers is the default; without one, that of the scheme. */
const defaultPort = (pod: Pod, isTls: boolean) =>
  String(pod.spec?.containers.flatMap(({ ports = [] }) => ports)[0]?.containerPort ?? (isTls ? 443 : 80))

const proxyPath = /^(\/api\/v1\/namespaces\/[^/]+\/[^/]+\/[^/]+\/proxy)(\/.*)?$/s

export function sendProxied(
  request: Request,
  pod: Pod,
  { port, isTls }: Omit<ProxyTarget, 'name'>,
  respondHttp: RespondHttp,
): void | Promise<void> {
  const { method } = request.exchange
  const name = JSON.stringify(pod.metadata?.name ?? '')
  const containers = pod.spec?.containers ?? []
  const container = containers.find(({ ports = [] }) =>
    ports.some((one) => port === '' || one.name === port || String(one.containerPort) === port),
  )
  if (!pod.status?.podIP) throw badRequestError('address not allowed')
  const [, prefix = '', path = ''] = proxyPath.exec(request.path) ?? []
  const query = request.rawQuery === '' ? '' : `?${request.rawQuery}`
  // Relative links of the page would lead nowhere without the slash.
  if (path === '' && (method === 'GET' || method === 'HEAD'))
    return request.sendPlain(301, '', { location: `${encodeURI(request.path)}/${query}` })
  const asked = { method, path: `${path || '/'}${query}`, port: port || defaultPort(pod, isTls), isTls }
  const response = respondHttp(pod, (container ?? containers[0])?.name ?? '', asked)
  if (response === undefined)
    throw badRequestError(`cannot proxy pod ${name}: simulated pods open no ports, and what its server would answer is not known`)
  const { code, body, contentType } = response
  if (contentType === undefined) return request.sendPlain(code, body)
  return request.sendDocument(code, contentType, contentType.startsWith('text/html') ? rewriteLinks(body, prefix) : body)
}

const unavailable = (message: string) => failure(503, 'ServiceUnavailable', message)

/** A pod behind the service, and its port. Throws a StatusError where there is none. */
export function findServicePod(rest: Rest, namespace: string, name: string, port: string): { readonly pod: Pod; readonly port: string } {
  const service = rest.get(services, namespace, name).object as Service
  const ports = service.spec?.ports ?? []
  const chosen = port === '' ? ports[0] : ports.find((one) => one.name === port || String(one.port) === port)
  if (chosen === undefined) throw unavailable(`no service port ${JSON.stringify(port)} found for service ${JSON.stringify(name)}`)
  const { subsets = [] } =
    rest.list(endpoints, namespace, { fieldSelector: `metadata.name=${name}` }).items.map(({ object }) => object as Endpoints)[0] ?? {}
  for (const { addresses = [], ports: open = [] } of subsets) {
    const target = open.find((one) => (one.name ?? '') === (chosen.name ?? ''))
    const found = addresses.find(({ targetRef }) => targetRef?.kind === 'Pod')?.targetRef?.name
    if (target !== undefined && found !== undefined)
      return { pod: rest.get(pods, namespace, found).object as Pod, port: String(target.port) }
  }
  throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`)
}
