// The OpenAPI documents: one for each group and version (v3), and one for all (v2). Built at the first request.
// Kubernetes: k8s.io/kube-openapi/pkg/handler3.OpenAPIService.*
// Kubernetes: k8s.io/kube-openapi/pkg/builder3.BuildOpenAPISpecFromRoutes
import { createHash } from 'node:crypto'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import { kubernetes } from '../../api/machinery/kubernetes-version.ts'
import type { GroupVersionKind } from '../../api/machinery/scheme.ts'
import { once } from '../../base/cached.ts'
import { groupBy, sortKeys } from '../../base/maps.ts'
import type { RemoteVersion } from '../aggregation/remote-resources.ts'
import { type CachedDocument, type CachedJson, cacheBytes, cacheJson } from '../cached-document.ts'
import { createDescribe, type Describe, type Descriptions, readDescriptions } from './descriptions.ts'
import { encodeVersion2, encodeVersion3 } from './gnostic-encoding.ts'
import { describePaths } from './operations.ts'
import { collectSchemas, type Schema } from './schemas.ts'
import { info, toSwagger, type Version3 } from './swagger.ts'

export interface OpenApiDocument {
  readonly json: () => CachedJson
  /** As gnostic's protobuf message. The index of version 3 has no such form. */
  readonly protobuf?: () => CachedDocument
  /** What the index of version 3 names as `hash` in its address: another hash means another document. */
  readonly hash?: () => string
}

interface OpenApi {
  /** The document at `/openapi/v2`, `/openapi/v3` or `/openapi/v3/apis/apps/v1`, or undefined when there is none. */
  find(path: string): OpenApiDocument | undefined
}

/** `remote`: the versions of aggregated servers. They serve their documents themselves; the index of v3 lists them. */
export function createOpenApi(
  kinds: readonly Kind[],
  read: () => Descriptions = readDescriptions,
  remote: readonly RemoteVersion[] = [],
): OpenApi {
  const describeOnce = once(() => createDescribe(read()))
  const kindsOf = listKindsOfTypes(kinds.filter(({ customType }) => customType === undefined))
  const customKinds = new Map(kinds.filter(({ customType }) => customType !== undefined).map((kind) => [kind.type, kind] as const))
  const versions = groupBy(kinds, (kind) => (kind.group === '' ? `api/${kind.version}` : `apis/${apiVersionOf(kind)}`))
  const documents = new Map<string, OpenApiDocument>()
  for (const [path, members] of versions) {
    const make = () => toDocument(describeKinds([members], describeOnce(), kindsOf, customKinds, false))
    const json = cacheJson(make)
    const revisions = members.map(({ schemaRevision }) => schemaRevision)
    // The hash of custom resources is computed from the revisions of their schemas, because there may be hundreds of large documents.
    const hash = revisions.includes(undefined)
      ? () => json().hash
      : once(() =>
          createHash('sha256')
            .update([kubernetes.version, ...revisions.sort()].join())
            .digest('hex')
            .toUpperCase(),
        )
    documents.set(`/openapi/v3/${path}`, { json, protobuf: cacheBytes(() => encodeVersion3(make())), hash })
  }
  documents.set('/openapi/v3', {
    json: cacheJson(() => ({
      paths: Object.fromEntries([
        ...[...versions.keys()].map((path) => {
          const address = `/openapi/v3/${path}`
          return [path, { serverRelativeURL: `${address}?hash=${documents.get(address)!.hash!()}` }] as const
        }),
        ...remote.flatMap(({ group, version, openApiUrl }) =>
          openApiUrl === undefined ? [] : [[`apis/${group}/${version}`, { serverRelativeURL: openApiUrl }] as const],
        ),
      ]),
    })),
  })
  const makeSwagger = () => toSwagger(describeKinds([...versions.values()], describeOnce(), kindsOf, customKinds, true))
  documents.set('/openapi/v2', { json: cacheJson(makeSwagger), protobuf: cacheBytes(() => encodeVersion2(makeSwagger())) })
  return { find: (path) => documents.get(path) }
}

function describeKinds(
  versions: readonly (readonly Kind[])[],
  describe: Describe,
  kindsOf: KindsOfTypes,
  customKinds: ReadonlyMap<string, Kind>,
  isVersion2: boolean,
): Version3 {
  const schemas = collectSchemas(
    describe,
    (typeName) => kindsOf.get(typeName),
    (typeName) => customKinds.get(typeName),
    isVersion2,
  )
  const paths = Object.assign({}, ...versions.map((members) => describePaths(members[0]!, members, schemas))) as Version3['paths']
  return { paths, schemas: schemas.schemas }
}

type KindsOfTypes = ReadonlyMap<string, readonly GroupVersionKind[]>

function listKindsOfTypes(kinds: readonly Kind[]): KindsOfTypes {
  const versions = [...new Map(kinds.map(({ group, version }) => [`${group}/${version}`, { group, version }])).values()]
  return new Map<string, readonly GroupVersionKind[]>([
    ...kinds.map(({ type, group, version, kind }) => [type, [{ group, version, kind }]] as const),
    ['autoscaling.Scale', [{ group: 'autoscaling', version: 'v1', kind: 'Scale' }]],
    ['policy.Eviction', [{ group: 'policy', version: 'v1', kind: 'Eviction' }]],
    ['authentication.TokenRequest', [{ group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' }]],
    ['meta.Status', [{ group: '', version: 'v1', kind: 'Status' }]],
    // Every group has it as its own.
    ['meta.DeleteOptions', versions.map((version) => ({ ...version, kind: 'DeleteOptions' }))],
  ])
}

function toDocument({ paths, schemas }: Version3): Schema {
  return {
    openapi: '3.0.0',
    info,
    paths,
    components: {
      schemas: sortKeys(schemas),
      securitySchemes: {
        BearerToken: { type: 'apiKey', description: 'Bearer Token authentication', name: 'authorization', in: 'header' },
      },
    },
  }
}
