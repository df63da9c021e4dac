// …/proxy/…: the response of a server in a simulated pod.
// Kubernetes: pkg/registry/core/pod/rest.ProxyREST.*
import { badRequestError } from '../../../api/machinery/status-error.ts'
import type { KubernetesObject, Pod } from '../../../api/types.ts'
import type { Request } from '../../http/request.ts'
import { rewriteLinks } from './proxy-links.ts'

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

export function proxyOptions({ path }: Request, kind: string): KubernetesObject {
  return { kind, apiVersion: 'v1', path: /\/proxy\/(.*)$/.exec(path)?.[1] ?? '' } as KubernetesObject
}

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
