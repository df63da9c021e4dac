// GET …/pods/x/proxy/… and …/services/x/proxy/…: the response of a server in a simulated pod.
import { endpoints, pods, services } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { badRequestError, failure } from '../../api/machinery/status-error.ts'
import type { Endpoints, Pod, Service } from '../../api/types.ts'
import type { Rest } from '../rest/rest.ts'
import type { Request } from './request.ts'

/** Undefined: the container is not running, or its server is not simulated. */
export type RespondHttp = (pod: Pod, container: string, path: string) => { readonly code: number; readonly body: string } | undefined

/** `name`, `name:port` or `scheme:name:port`. */
export function splitProxyName(text: string): { readonly name: string; readonly port: string } {
  const [first = '', second, third] = text.split(':')
  return third === undefined ? { name: first, port: second ?? '' } : { name: second ?? '', port: third }
}

export function sendProxied(request: Request, pod: Pod, port: string, respondHttp: RespondHttp): void {
  const { method } = request.exchange
  const name = JSON.stringify(pod.metadata?.name ?? '')
  const containers = pod.spec?.containers ?? []
  const container = containers.find(({ ports = [] }) =>
    ports.some((one) => port === '' || one.name === port || String(one.containerPort) === port),
  )
  const isRead = method === 'GET' || method === 'HEAD'
  if (!pod.status?.podIP) throw badRequestError('address not allowed')
  const path = /\/proxy(\/.*)?$/.exec(request.path.replace(/^.*?(?=\/proxy(?:\/|$))/, ''))?.[1] ?? '/'
  const target = request.rawQuery === '' ? path : `${path}?${request.rawQuery}`
  const response = isRead ? respondHttp(pod, (container ?? containers[0])?.name ?? '', target) : undefined
  if (response === undefined)
    throw badRequestError(`cannot proxy pod ${name}: simulated pods open no ports, and what its server would answer is not known`)
  request.sendPlain(response.code, response.body)
}

const unavailable = (message: string) => failure(503, 'ServiceUnavailable', message)

/** A pod behind the service, and its port. Throws a StatusError where there is none. */
export function findServicePod(rest: Rest, namespace: string, name: string, port: string): { readonly pod: Pod; readonly port: string } {
  const service = rest.get(services as unknown as Kind, namespace, name).object as Service
  const ports = service.spec?.ports ?? []
  const chosen = port === '' ? ports[0] : ports.find((one) => one.name === port || String(one.port) === port)
  if (chosen === undefined) throw unavailable(`no service port ${JSON.stringify(port)} found for service ${JSON.stringify(name)}`)
  const { subsets = [] } =
    rest
      .list(endpoints as unknown as Kind, namespace, { fieldSelector: `metadata.name=${name}` })
      .items.map(({ object }) => object as Endpoints)[0] ?? {}
  for (const { addresses = [], ports: open = [] } of subsets) {
    const target = open.find((one) => (one.name ?? '') === (chosen.name ?? ''))
    const found = addresses.find(({ targetRef }) => targetRef?.kind === 'Pod')?.targetRef?.name
    if (target !== undefined && found !== undefined)
      return { pod: rest.get(pods as unknown as Kind, namespace, found).object as Pod, port: String(target.port) }
  }
  throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`)
}
