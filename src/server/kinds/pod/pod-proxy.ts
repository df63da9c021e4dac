// …/proxy/…: the response of a server in a simulated pod.
// Kubernetes: pkg/registry/core/pod/rest.ProxyREST.*
import { badRequestError } from '../../../api/machinery/status-error.ts'
import type { KubernetesObject, Pod } from '../../../api/types.ts'
import type { Request } from '../../http/request.ts'

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

// HTML that passes through the proxy.
// Kubernetes: k8s.io/apimachinery/pkg/util/proxy.Transport.*

/** Attributes that contain a URL, by element, as in Kubernetes. */
const linkAttributes: ReadonlyMap<string, readonly string[]> = new Map([
  ['a', ['href']],
  ['applet', ['codebase']],
  ['area', ['href']],
  ['audio', ['src']],
  ['base', ['href']],
  ['blockquote', ['cite']],
  ['body', ['background']],
  ['button', ['formaction']],
  ['command', ['icon']],
  ['del', ['cite']],
  ['embed', ['src']],
  ['form', ['action']],
  ['frame', ['longdesc', 'src']],
  ['head', ['profile']],
  ['html', ['manifest']],
  ['iframe', ['longdesc', 'src']],
  ['img', ['longdesc', 'src', 'usemap']],
  ['input', ['src', 'usemap', 'formaction']],
  ['ins', ['cite']],
  ['link', ['href']],
  ['object', ['classid', 'codebase', 'data', 'usemap']],
  ['q', ['cite']],
  ['script', ['src']],
  ['source', ['src']],
  ['video', ['poster', 'src']],
])

const startTag = /<([a-z][a-z0-9]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/iy
const attribute = /(?<=[\s"'/])([^\s"'>/=]+)(\s*=\s*["']?)([^\s"'>]*)/g

/** Puts the path of the proxy before absolute paths in links. Links to other hosts, and links that have it already, stay as they are. */
export function rewriteLinks(html: string, prefix: string): string {
  let rewritten = ''
  let done = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    if (!/[a-z]/i.test(html[at + 1] ?? '')) continue
    startTag.lastIndex = at
    const found = startTag.exec(html)
    // A tag that is not closed extends to the end.
    if (found === null) break
    const [tag, element = '', attributes = ''] = found
    const names = linkAttributes.get(element.toLowerCase())
    if (names !== undefined)
      rewritten += `${html.slice(done, at)}<${element}${attributes.replace(attribute, (all, name: string, equals: string, url: string) =>
        names.includes(name.toLowerCase()) && isAbsolutePath(url) && !url.startsWith(prefix) ? `${name}${equals}${prefix}${url}` : all,
      )}>`
    else rewritten += html.slice(done, at) + tag
    done = at + tag.length
    at = done - 1
  }
  return rewritten + html.slice(done)
}

const isAbsolutePath = (url: string) => url.startsWith('/') && !url.startsWith('//')
