// Discovery and OpenAPI: finds the document of a request and negotiates its format.
import type { Kind } from '../api/machinery/kind.ts'
import { type KindSet, kindSetOf } from '../api/machinery/kind-set.ts'
import type { RemoteVersion } from './aggregation/remote-resources.ts'
import type { CachedDocument } from './cached-document.ts'
import { aggregatedDiscoveryType, createDiscovery } from './discovery.ts'
import type { Document, FindDocument } from './http/dispatcher.ts'
import { jsonToYaml } from './http/json-encoding.ts'
import { mediaTypes, negotiatePlain } from './http/media-types.ts'
import { createOpenApi, type OpenApiDocument } from './openapi/openapi.ts'

const json = 'application/json'
const noRemote: readonly RemoteVersion[] = []
/** Of OpenAPI v2 and v3. */
const protobufOf = (version: string) => `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`
const aggregatedJson = `${json};g=${aggregatedDiscoveryType.g};v=${aggregatedDiscoveryType.v};as=${aggregatedDiscoveryType.as}`

const hasDocument = ({ openApiUrl }: RemoteVersion) => openApiUrl !== undefined

/** `readRemote` returns the versions of aggregated servers: the same array until they change. */
export function createDocuments(
  given: readonly Kind[] | KindSet,
  serverAddress: string,
  readRemote: () => readonly RemoteVersion[] = () => noRemote,
): FindDocument {
  const kinds = kindSetOf(given)
  let described = kinds.all
  let remote = readRemote()
  let discovery = createDiscovery(described, serverAddress, remote)
  let openApi = createOpenApi(described, undefined, remote)
  return ({ path, query, accept, ifNoneMatch }) => {
    if (kinds.all !== described) {
      described = kinds.all
      discovery = createDiscovery(described, serverAddress, remote)
      openApi = createOpenApi(described, undefined, remote)
    }
    if (readRemote() !== remote) {
      const hadDocuments = remote.some(hasDocument)
      remote = readRemote()
      discovery = createDiscovery(described, serverAddress, remote)
      if (hadDocuments || remote.some(hasDocument)) openApi = createOpenApi(described, undefined, remote)
    }
    if (path.startsWith('/openapi/')) {
      const document = openApi.find(path)
      return document && respondOpenApi(document, path, query.text('hash'), accept, ifNoneMatch)
    }
    const isRoot = path === '/api' || path === '/apis' || path === '/api/' || path === '/apis/'
    const aggregated = isRoot && wantsAggregated(accept)
    const document = discovery.find(path, aggregated)
    if (document === undefined || aggregated) return document && respond(document, aggregatedJson, ifNoneMatch)
    // Kubernetes' aggregator serves the lists of groups itself, without its router.
    const isRouted = !/^\/apis(\/[^/]*)?\/?$/.test(path)
    const format = negotiatePlain(accept, isRouted ? mediaTypes : undefined)
    return format === 'yaml' ? respondYaml(document) : respond(document, json, ifNoneMatch)
  }
}

/** A document with its hash in the address never changes, so that clients may keep it. One with another hash has moved to the present address. */
function respondOpenApi(
  { json: asJson, protobuf: asProtobuf, hash: hashOf }: OpenApiDocument,
  path: string,
  askedHash: string | undefined,
  accept: string | undefined,
  ifNoneMatch: string | undefined,
): Document {
  const protobuf = protobufOf(path.split('/')[2]!)
  const type = asProtobuf === undefined ? json : openApiType(accept, protobuf)
  if (type === undefined) return notAcceptable
  if (hashOf === undefined || askedHash === undefined || askedHash === '')
    return type === json ? respond(asJson(), json, ifNoneMatch) : respond(asProtobuf!(), protobuf, ifNoneMatch)
  const hash = hashOf()
  if (askedHash !== hash) return { code: 301, contentType: type, body: '', headers: { location: `${path}?hash=${hash}`, vary: 'Accept' } }
  const document = type === json ? asJson() : asProtobuf!()
  return respond(document, type, ifNoneMatch, { 'cache-control': 'public, immutable, max-age=31536000' })
}

function respond(
  { body, hash, gzip }: CachedDocument,
  contentType: string,
  ifNoneMatch: string | undefined,
  more: Document['headers'] = {},
): Document {
  const etag = `"${hash}"`
  const headers = { etag, vary: 'Accept', ...more }
  if (ifNoneMatch?.split(',').some((one) => one.trim() === etag)) return { code: 304, contentType, body: '', headers }
  return { contentType, body, gzip, headers }
}

async function respondYaml({ body }: CachedDocument): Promise<Document> {
  return { contentType: 'application/yaml', body: await jsonToYaml(body.toString()), headers: { vary: 'Accept' } }
}

const notAcceptable: Document = {
  code: 406,
  contentType: 'text/plain; charset=utf-8',
  body: "Only JSON and gnostic's protobuf are served here: ask for application/json.\n",
}

/** The media types of an Accept header with their parameters. */
const clausesOf = (accept: string) =>
  accept.split(',').map((one) => {
    const [type = '', ...parameters] = one.split(';').map((part) => part.trim())
    return { type: type.toLowerCase(), parameters: new Map(parameters.map((parameter) => parameter.split('=') as [string, string])) }
  })

/** The supported media type that the client prefers. */
function openApiType(accept: string | undefined, protobuf: string): string | undefined {
  if (accept === undefined || accept === '') return json
  const weightOf = (parameters: ReadonlyMap<string, string>) => Number(parameters.get('q') ?? 1)
  const wanted = clausesOf(accept)
    .filter(({ parameters }) => weightOf(parameters) > 0)
    .sort((a, b) => weightOf(b.parameters) - weightOf(a.parameters))
  for (const { type } of wanted) {
    if (type === json || type === '*/*' || type === 'application/*') return json
    // Older clients request the form with @, which is not valid in a media type.
    if (type === protobuf || type === protobuf.replace('.v1.0', '@v1.0')) return protobuf
  }
  return undefined
}

/** Whether the aggregated form is the first supported one in the header. */
function wantsAggregated(accept: string | undefined): boolean {
  if (accept === undefined) return false
  for (const { type, parameters } of clausesOf(accept)) {
    if (type !== json && type !== '*/*') continue
    if (!parameters.has('as')) return false
    if (
      parameters.get('as') === aggregatedDiscoveryType.as &&
      parameters.get('g') === aggregatedDiscoveryType.g &&
      parameters.get('v') === aggregatedDiscoveryType.v
    )
      return true
  }
  return false
}
