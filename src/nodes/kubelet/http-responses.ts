// HTTP responses of the servers in the test images of Kubernetes. The responses of other servers are not known.
// Ours: what test images answer, other programs.
import type { Container, Pod } from '../../api/types.ts'
import { absolutePath, type Files, readFile } from '../shell/files.ts'
import { flagValue } from '../shell/flag-value.ts'
import { hostnameOf } from './environment-variables.ts'
import { type ServerKind, serverOf, serverPorts } from './image-behavior.ts'
import { fileKeyOf, wordsOf } from './program.ts'

export interface HttpResponse {
  readonly code: number
  readonly body: string
  /** Absent: plain text. */
  readonly contentType?: string
}

export interface HttpRequest {
  readonly method: string
  /** It may have a query. */
  readonly path: string
  readonly port: string
  readonly isTls: boolean
}

export const notFound: HttpResponse = { code: 404, body: '404 page not found\n' }

export const servedBy = ({ image = '', command = [], args = [] }: Container): ServerKind | undefined =>
  serverOf(image, command, args)?.serves

/** Whether a known server listens on the port. An unknown server listens on every port, and so does `porter`. */
export function listensOn(container: Container, port: number | string, isGrpc: boolean): boolean {
  const served = servedBy(container)
  if (served === undefined || served === 'porter' || (served === 'grpc') !== isGrpc) return true
  const flag = flagValue(wordsOf(container), served === 'netexec' || served === 'guestbook' ? 'http-port' : 'port')
  const own = served === 'liveness' || flag === undefined ? serverPorts[served] : Number(flag)
  const named = container.ports?.find(({ name }) => name === port)?.containerPort
  return (named ?? Number(port)) === own
}

/** How long a `liveness` server reports that it is healthy. */
export const healthyMs = 10_000

/** The response to GET of a container that has run for `ageMs`. Undefined: not known. */
export function responseOf(pod: Pod, container: Container, files: Files, path: string, ageMs: number): HttpResponse | undefined {
  const hostname = hostnameOf(pod)
  switch (servedBy(container)) {
    case 'hostname':
      return { code: 200, body: hostname }
    case 'netexec':
      return { code: 200, body: path.toLowerCase() === '/hostname' ? hostname : 'NOW' }
    case 'files': {
      const full = absolutePath(path, '/')
      const body = full === '/' ? '<pre>\n</pre>\n' : readFile(files, fileKeyOf(container, full))
      return body === undefined ? notFound : { code: 200, body }
    }
    case 'liveness':
      return ageMs < healthyMs ? { code: 200, body: 'ok' } : { code: 500, body: `error: ${ageMs / 1000}` }
    case 'webhook':
    case 'crd-conversion-webhook':
      return path === '/readyz' ? { code: 200, body: 'ok' } : undefined
    default:
      return undefined
  }
}

const startsLikeHtml = /^\s*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)(?:[\s>]|$)/i

/** `agnhost porter` serves the values of variables: SERVE_PORT_80 on port 80. Undefined: it does not listen on the port. */
export function porterResponse(container: Container, request: HttpRequest): HttpResponse | undefined {
  const prefixes = request.isTls ? ['SERVE_TLS_PORT_'] : ['SERVE_PORT_', 'SERVE_TCP_PORT_']
  const body = container.env?.find(({ name }) => prefixes.some((prefix) => name === `${prefix}${request.port}`))?.value
  if (body === undefined) return undefined
  if (wordsOf(container).includes('--json-response'))
    return { code: 200, body: JSON.stringify({ Method: request.method, Body: body }), contentType: 'application/json' }
  return { code: 200, body, ...(startsLikeHtml.test(body) && { contentType: 'text/html; charset=utf-8' }) }
}
