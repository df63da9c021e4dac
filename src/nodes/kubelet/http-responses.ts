// HTTP responses of the servers in the test images of Kubernetes. The responses of other servers are not known.
import type { Container, Pod } from '../../api/types.ts'
import { absolutePath, type Files, readFile } from '../shell/files.ts'
import { type ServerKind, serverOf, serverPorts } from './image-behavior.ts'
import { fileKeyOf } from './program.ts'

export interface HttpResponse {
  readonly code: number
  readonly body: string
}

const notFound: HttpResponse = { code: 404, body: '404 page not found\n' }

export const servedBy = ({ image = '', command = [], args = [] }: Container): ServerKind | undefined =>
  serverOf(image, command, args)?.serves

/** Whether a known server listens on the port. An unknown server listens on every port. */
export function listensOn(container: Container, port: number | string, isGrpc: boolean): boolean {
  const served = servedBy(container)
  if (served === undefined || (served === 'grpc') !== isGrpc) return true
  const words = [...(container.command ?? []), ...(container.args ?? [])]
  const option = served === 'netexec' || served === 'guestbook' ? '--http-port' : '--port'
  const at = words.findIndex((word) => word === option || word.startsWith(`${option}=`))
  const optionValue = words[at] === option ? words[at + 1] : words[at]?.slice(option.length + 1)
  const own = served === 'liveness' || optionValue === undefined ? serverPorts[served] : Number(optionValue)
  const named = container.ports?.find(({ name }) => name === port)?.containerPort
  return (named ?? Number(port)) === own
}

/** How long a `liveness` server reports that it is healthy. */
export const healthyMs = 10_000

/** The response to GET of a container that has run for `ageMs`. Undefined: not known. */
export function responseOf(pod: Pod, container: Container, files: Files, path: string, ageMs: number): HttpResponse | undefined {
  const hostname = pod.spec?.hostname ?? pod.metadata?.name ?? ''
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
