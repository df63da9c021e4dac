// The paths of a group and version, with their operations.
// Kubernetes: k8s.io/apiserver/pkg/endpoints.APIInstaller.registerResourceHandlers
// Kubernetes: k8s.io/kube-openapi/pkg/builder3.openAPI.buildOperations
import { apiVersionOf, type Kind, type Verb } from '../../api/machinery/kind.ts'
import type { GroupVersionKind } from '../../api/machinery/scheme.ts'
import { sortKeys } from '../../base/maps.ts'
import { verbsOf } from '../http/route.ts'
import { described, reference, type Schema, type SchemaCollector } from './schemas.ts'

export type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface GroupVersion {
  readonly group: string
  readonly version: string
}

/** The types of the bodies of subresources that belong to another group, by kind. */
const otherTypes: Readonly<Record<string, string>> = {
  Scale: 'autoscaling.Scale',
  Eviction: 'policy.Eviction',
  Binding: 'core.Binding',
  TokenRequest: 'authentication.TokenRequest',
}

export function describePaths(version: GroupVersion, kinds: readonly Kind[], schemas: SchemaCollector): Paths {
  const root = version.group === '' ? `/api/${version.version}` : `/apis/${apiVersionOf(version)}`
  const id = operationPrefix(version)
  const tags = [`${version.group === '' ? 'core' : version.group.split('.')[0]}_${version.version}`]
  const paths: Record<string, Record<string, unknown>> = {
    [`${root}/`]: {
      get: {
        description: 'Lists the resources of this group and version.',
        operationId: `get${id}APIResources`,
        tags,
        responses: answers(['200'], addResourceList(schemas)),
      },
    },
  }
  for (const kind of kinds) Object.assign(paths, describeKind(root, id, tags, kind, schemas))
  return sortKeys(paths)
}

function describeKind(
  root: string,
  id: string,
  tags: readonly string[],
  kind: Kind,
  schemas: SchemaCollector,
): Record<string, Record<string, unknown>> {
  const verbs = verbsOf(kind)
  const own: GroupVersionKind = { group: kind.group, version: kind.version, kind: kind.kind }
  const type = schemas.addType(kind.type)
  const list = verbs.includes('list') ? schemas.addList(kind.type, own) : type
  const scope = kind.namespaced ? 'Namespaced' : ''
  const name = `${id}${scope}${kind.kind}`
  const collection = kind.namespaced ? `${root}/namespaces/{namespace}/${kind.plural}` : `${root}/${kind.plural}`
  const object = `${collection}/{name}`
  const around = [...(kind.namespaced ? [namespaceParameter] : []), prettyParameter]
  const make = (action: Action, operationId: string, schema: string, about = own) =>
    operation({
      action,
      operationId,
      schema,
      tags,
      kind: about,
      schemas,
      status: schemas.addType('meta.Status'),
      // kubectl chooses the format of its patches from this list.
      patchTypes: kind.customType === undefined ? patchTypes : patchTypesWithoutKeys,
    })

  const paths: Record<string, Record<string, unknown>> = {}
  const put = (path: string, parameters: readonly Schema[], operations: Record<string, unknown>) => {
    if (Object.keys(operations).length > 0) paths[path] = { ...operations, parameters }
  }
  put(collection, around, {
    ...(verbs.includes('list') && { get: make('list', `list${name}`, list) }),
    ...(verbs.includes('create') && { post: make('post', `create${name}`, type) }),
    ...(verbs.includes('deletecollection') && { delete: make('deletecollection', `delete${id}Collection${scope}${kind.kind}`, type) }),
  })
  if (kind.namespaced && verbs.includes('list'))
    put(`${root}/${kind.plural}`, [prettyParameter], { get: make('list', `list${id}${kind.kind}ForAllNamespaces`, list) })
  put(
    object,
    [nameParameter(kind.kind), ...around],
    objectOperations(verbs, name, '', (action, operationId) => make(action, operationId, type)),
  )

  for (const below of kind.subresources ?? []) {
    const about: GroupVersionKind = { group: below.group ?? kind.group, version: below.version ?? kind.version, kind: below.kind }
    const typeName = below.kind === kind.kind ? kind.type : otherTypes[below.kind]
    const schema = typeName === undefined || below.name === 'log' ? stringAnswer : schemas.addType(typeName)
    const suffix = below.name[0]!.toUpperCase() + below.name.slice(1)
    put(`${object}/${below.name}`, [nameParameter(about.kind), ...around], {
      ...objectOperations(
        below.verbs.filter((verb) => verb !== 'delete'),
        name,
        suffix,
        (action, operationId) => make(action, operationId, schema, about),
      ),
      ...(below.verbs.includes('create') && { post: make('post', `create${name}${suffix}`, schema, about) }),
    })
  }
  return paths
}

type Action = 'list' | 'post' | 'deletecollection' | 'get' | 'put' | 'patch' | 'delete'

function objectOperations(verbs: readonly Verb[], name: string, suffix: string, make: (action: Action, operationId: string) => unknown) {
  return {
    ...(verbs.includes('get') && { get: make('get', `read${name}${suffix}`) }),
    ...(verbs.includes('update') && { put: make('put', `replace${name}${suffix}`) }),
    ...(verbs.includes('patch') && { patch: make('patch', `patch${name}${suffix}`) }),
    ...(verbs.includes('delete') && { delete: make('delete', `delete${name}${suffix}`) }),
  }
}

interface OperationParts {
  readonly action: Action
  readonly operationId: string
  /** The name of the schema of its request and response bodies. */
  readonly schema: string
  readonly tags: readonly string[]
  readonly kind: GroupVersionKind
  readonly schemas: SchemaCollector
  readonly status: string
  readonly patchTypes: readonly string[]
}

/** The kinds whose deletion is documented to return the object. */
const withDeletedObject = new Set(['Pod'])

function operation({ action, operationId, schema, tags, kind, schemas, status, patchTypes }: OperationParts): Schema {
  const isDeletion = action === 'delete' || action === 'deletecollection'
  const body = schema === stringAnswer ? undefined : describeBody(action, schema, schemas, patchTypes)
  return {
    description: `${sentences[action]} ${kind.kind}.`,
    operationId,
    tags,
    ...(parameters[action].length > 0 && { parameters: parameters[action] }),
    ...(body !== undefined && { requestBody: body }),
    responses: answers(codes[action], isDeletion && !withDeletedObject.has(kind.kind) ? status : schema),
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': kind,
  }
}

function describeBody(action: Action, schema: string, schemas: SchemaCollector, patchTypes: readonly string[]): Schema | undefined {
  switch (action) {
    case 'delete':
    case 'deletecollection':
      return { content: { '*/*': { schema: reference(schemas.addType('meta.DeleteOptions')) } } }
    case 'patch':
      return { content: contents(patchTypes, reference(schemas.addSchema('io.k8s.apimachinery.pkg.apis.meta.v1.Patch'))), required: true }
    case 'post':
    case 'put':
      return { content: { '*/*': { schema: reference(schema) } }, required: true }
    default:
      return undefined
  }
}

const sentences: Readonly<Record<Action, string>> = {
  list: 'Lists or watches objects of kind',
  post: 'Creates a',
  deletecollection: 'Deletes a collection of',
  get: 'Reads the named',
  put: 'Replaces the named',
  patch: 'Changes parts of the named',
  delete: 'Deletes a',
}

const codes: Readonly<Record<Action, readonly string[]>> = {
  list: ['200'],
  post: ['200', '201', '202'],
  deletecollection: ['200'],
  get: ['200'],
  put: ['200', '201'],
  patch: ['200', '201'],
  delete: ['200', '202'],
}

const codeNames: Readonly<Record<string, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' }

const patchTypes = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
]
/** Custom resources have no strategic merge patches: their lists have no merge keys. */
const patchTypesWithoutKeys = patchTypes.slice(0, -1)
const answerTypes = ['application/json', 'application/yaml']

/** Stands for a response of plain text, such as a log. */
const stringAnswer = ''

function answers(statuses: readonly string[], schema: string): Schema {
  const content = schema === stringAnswer ? contents(['text/plain'], { type: 'string' }) : contents(answerTypes, reference(schema))
  return {
    ...Object.fromEntries(statuses.map((code) => [code, { description: codeNames[code], content }])),
    401: { description: 'Unauthorized' },
  }
}

function contents(types: readonly string[], schema: Schema): Schema {
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}

const query = (name: string, type: string, description: string): Schema => ({
  name,
  in: 'query',
  description,
  schema: { type, uniqueItems: true },
})

const prettyParameter = query('pretty', 'string', "If 'true', the response is indented.")
const inPath = (name: string, description: string): Schema => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', uniqueItems: true },
})
const namespaceParameter = inPath('namespace', 'The namespace of the objects.')
const nameParameter = (kind: string) => inPath('name', `The name of the ${kind}.`)

const dryRun = query('dryRun', 'string', 'All: the request is processed in all steps, but not stored.')
const fieldManager = query('fieldManager', 'string', 'The name of the manager of the changed fields, for managedFields.')
const fieldValidation = query(
  'fieldValidation',
  'string',
  'How unknown and duplicate fields are handled: Ignore, Warn (the default) or Strict.',
)
const force = query('force', 'boolean', 'Take over fields that other managers own. For apply patches only.')

const deletion = [
  query('gracePeriodSeconds', 'integer', 'Seconds before the object is deleted. 0 means immediately.'),
  query('ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean', 'Delete the object even if it cannot be read.'),
  query('orphanDependents', 'boolean', 'Deprecated: use propagationPolicy.'),
  query('propagationPolicy', 'string', 'How dependents are deleted: Orphan, Background or Foreground.'),
]
const selection = [
  query('continue', 'string', 'The continue token of the previous page.'),
  query('fieldSelector', 'string', 'Restricts the list to objects whose fields have these values.'),
  query('labelSelector', 'string', 'Restricts the list to objects with these labels.'),
  query('limit', 'integer', 'The maximum number of objects in a page.'),
  query('resourceVersion', 'string', 'The minimum version of the response, or the version at which a watch starts.'),
  query('resourceVersionMatch', 'string', 'How resourceVersion is applied: Exact or NotOlderThan.'),
  query('sendInitialEvents', 'boolean', 'Whether a watch starts with the objects that exist.'),
  query('timeoutSeconds', 'integer', 'The timeout of the request.'),
]
const watching = [
  query('allowWatchBookmarks', 'boolean', 'Whether a watch may send bookmarks.'),
  query('watch', 'boolean', 'Send changes as they happen, as a stream of events.'),
]

const parameters: Readonly<Record<Action, readonly Schema[]>> = {
  list: [...selection, ...watching],
  post: [dryRun, fieldManager, fieldValidation],
  deletecollection: [dryRun, ...deletion, ...selection],
  get: [],
  put: [dryRun, fieldManager, fieldValidation],
  patch: [dryRun, fieldManager, fieldValidation, force],
  delete: [dryRun, ...deletion],
}

function addResourceList(schemas: SchemaCollector): string {
  const type = 'meta.APIResourceList'
  const field = (name: string, schema: Schema) => described(schema, schemas.describe.field(type, name))
  const list = {
    type: 'object',
    properties: {
      apiVersion: field('apiVersion', { type: 'string' }),
      groupVersion: field('groupVersion', { type: 'string', default: '' }),
      kind: field('kind', { type: 'string' }),
      resources: field('resources', {
        type: 'array',
        items: { allOf: [reference(schemas.addType('meta.APIResource'))], default: {} },
        'x-kubernetes-list-type': 'atomic',
      }),
    },
    required: ['groupVersion', 'resources'],
    'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'APIResourceList' }],
  }
  return schemas.addSchema('io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList', described(list, schemas.describe.type(type)))
}

/** `AppsV1`, `CoreV1`, `EventsV1`. */
function operationPrefix({ group, version }: GroupVersion): string {
  const word = group === '' ? 'core' : group.split('.')[0]!
  return [word, version].map((part) => part[0]!.toUpperCase() + part.slice(1)).join('')
}
