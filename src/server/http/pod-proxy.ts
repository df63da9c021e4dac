// GET …/pods/x/proxy/…: the response of a server in a simulated pod.
import { badRequestError } from '../../api/machinery/status-error.ts'
import type { Pod } from '../../api/types.ts'
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
  const response = isRead ? respondHttp(pod, (container ?? containers[0])?.name ?? '', path) : undefined
  if (response === undefined)
    throw badRequestError(`cannot proxy pod ${name}: simulated pods open no ports, and what its server would answer is not known`)
  request.sendPlain(response.code, response.body)
}
