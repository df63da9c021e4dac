// The OpenAPI documents: one for each group and version (v3), and one for all (v2). Built at the first request.
import { createHash } from 'node:crypto'
import { apiVersionOf, type Kind } from '../../api/machinery/kind.ts'
import type { GroupVersionKind } from '../../api/machinery/scheme.ts'
import { once } from '../../base/cached.ts'
import { groupBy, sortKeys } from '../../base/maps.ts'
import type { RemoteVersion } from '../aggregation/remote-resources.ts'
import { type CachedDocument, type CachedJson, cacheBytes, cacheJson } from '../cached-document.ts'
import { createDescribe, type Describe, type Descriptions, readDescriptions } from './descriptions.ts'
import { describePaths } from './operations.ts'
import { collectSchemas, type Schema } from './schemas.ts'
import { info, toSwagger, type Version3 } from './swagger.ts'
import { encodeSwagger } from './swagger-protobuf.ts'

interface OpenApi {
  /** The document at `/openapi/v2`, `/openapi/v3` or `/openapi/v3/apis/apps/v1`, or undefined when there is none. Always JSON. */
  find(path: string): CachedJson | undefined
  /** The document at `/openapi/v2` as gnostic's protobuf message. */
  readonly protobuf: () => CachedDocument
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
  const documents = new Map<string, () => CachedJson>()
  for (const [path, members] of versions)
    documents.set(
      `/openapi/v3/${path}`,
      cacheJson(() => toDocument(describeKinds([members], describeOnce(), kindsOf, customKinds, false))),
    )
  /** The hash of custom resources is computed from the revisions of their schemas, because there may be hundreds of large documents. */
  const hashOf = (path: string) => {
    const revisions = versions.get(path)!.map(({ schemaRevision }) => schemaRevision)
    if (revisions.includes(undefined)) return documents.get(`/openapi/v3/${path}`)!().hash
    return createHash('sha256').update(revisions.sort().join()).digest('hex').toUpperCase()
  }
  documents.set(
    '/openapi/v3',
    cacheJson(() => ({
      paths: Object.fromEntries([
        ...[...versions.keys()].map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hashOf(path)}` }] as const),
        ...remote.flatMap(({ group, version, openApiUrl }) =>
          openApiUrl === undefined ? [] : [[`apis/${group}/${version}`, { serverRelativeURL: openApiUrl }] as const],
        ),
      ]),
    })),
  )
  const makeSwagger = () => toSwagger(describeKinds([...versions.values()], describeOnce(), kindsOf, customKinds, true))
  documents.set('/openapi/v2', cacheJson(makeSwagger))
  return { find: (path) => documents.get(path)?.(), protobuf: cacheBytes(() => encodeSwagger(makeSwagger())) }
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
