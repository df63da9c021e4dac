import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { kinds } from '../../api/kinds.ts'
import { allStructNames, structOf } from '../../api/machinery/schema/schema.ts'
import { createCustomKind } from '../../api/machinery/structural/custom-kind.ts'
import { createDescribe } from './descriptions.ts'
import { createOpenApi } from './openapi.ts'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string }[]
  readonly 'x-kubernetes-group-version-kind'?: unknown
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> }
}

const openApi = createOpenApi(kinds, () => ({
  V1DeploymentSpec: { '': 'About the spec.', replicas: 'About replicas.' },
  V1Deployment: { '': 'About Deployments.' },
}))
const jsonOf = (path: string) => openApi.find(path)!.json().json
const read = (path: string) => JSON.parse(jsonOf(path)) as Document
const index = JSON.parse(jsonOf('/openapi/v3')) as { paths: Record<string, { serverRelativeURL: string }> }
const paths = Object.keys(index.paths).map((path) => `/openapi/v3/${path}`)
const apps = read('/openapi/v3/apis/apps/v1')
const deploymentSpec = apps.components.schemas['io.k8s.api.apps.v1.DeploymentSpec']!

describe('createOpenApi()', () => {
  it('lists a document for each group and version, with the hash of its content', () => {
    expect(Object.keys(index.paths)).toContain('api/v1')
    const { serverRelativeURL } = index.paths['apis/apps/v1']!
    expect(serverRelativeURL).toBe(`/openapi/v3/apis/apps/v1?hash=${openApi.find('/openapi/v3/apis/apps/v1')!.hash!()}`)
    expect(openApi.find('/openapi/v3/apis/none/v1')).toBeUndefined()
  })

  it('lists the values of an enum whose constants are those of another package', () => {
    const { properties } = read('/openapi/v3/apis/discovery.k8s.io/v1').components.schemas['io.k8s.api.discovery.v1.EndpointSlice']!
    expect(properties).toMatchObject({ addressType: { enum: ['FQDN', 'IPv4', 'IPv6'] } })
  })

  it.each([...paths, '/openapi/v2'])('refers only to what is in %s, and names each operation once', (path) => {
    const text = jsonOf(path)
    const prefix = path === '/openapi/v2' ? '#/definitions/' : '#/components/schemas/'
    const known = (JSON.parse(text) as { definitions?: object }).definitions ?? read(path).components.schemas
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!)
    expect(references.length).toBeGreaterThan(0)
    expect(references.filter((one) => !one.startsWith(prefix) || !Object.hasOwn(known, one.slice(prefix.length)))).toEqual([])
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('writes types as Kubernetes does', () => {
    expect(deploymentSpec).toMatchObject({ type: 'object', required: ['selector', 'template'], description: 'About the spec.' })
    expect(deploymentSpec['properties']).toMatchObject({
      replicas: { type: 'integer', format: 'int32', description: 'About replicas.' },
      strategy: {
        allOf: [{ $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentStrategy' }],
        default: {},
        'x-kubernetes-patch-strategy': 'retainKeys',
      },
    })
    const podSpec = apps.components.schemas['io.k8s.api.core.v1.PodSpec']!['properties'] as Record<string, unknown>
    expect(podSpec['containers']).toEqual({
      type: 'array',
      items: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.Container' }], default: {} },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    })
    expect(podSpec['nodeSelector']).toEqual({
      type: 'object',
      additionalProperties: { type: 'string', default: '' },
      'x-kubernetes-map-type': 'atomic',
    })
    expect(apps.components.schemas['io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector']).toMatchObject({
      'x-kubernetes-map-type': 'atomic',
    })
    expect(apps.components.schemas['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toEqual({
      oneOf: [{ type: 'integer' }, { type: 'string' }],
      format: 'int-or-string',
    })
  })

  it('says which kinds types are, also in the documents of other groups', () => {
    expect(apps.components.schemas['io.k8s.api.apps.v1.Deployment']).toMatchObject({
      description: 'About Deployments.',
      'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
    })
    expect(apps.components.schemas['io.k8s.api.core.v1.PersistentVolumeClaim']).toMatchObject({
      'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'PersistentVolumeClaim' }],
    })
    expect(apps.components.schemas['io.k8s.api.apps.v1.DeploymentList']).toMatchObject({
      required: ['items'],
      'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'DeploymentList' }],
    })
  })

  it('declares the parameters that kubectl checks before it sends a change', () => {
    const patch = apps.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']!['patch']!
    expect(patch.operationId).toBe('patchAppsV1NamespacedDeployment')
    expect(patch['x-kubernetes-group-version-kind']).toEqual({ group: 'apps', version: 'v1', kind: 'Deployment' })
    expect(patch.parameters?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['dryRun', 'fieldValidation', 'fieldManager', 'force']),
    )
  })

  it('has the paths of namespaced and of cluster-wide kinds, and those below them', () => {
    const core = read('/openapi/v3/api/v1').paths
    expect(Object.keys(core['/api/v1/nodes']!).sort()).toEqual(['delete', 'get', 'parameters', 'post'])
    expect(core['/api/v1/pods']!['get']!.operationId).toBe('listCoreV1PodForAllNamespaces')
    expect(core['/api/v1/namespaces/{namespace}/pods']!['delete']!.operationId).toBe('deleteCoreV1CollectionNamespacedPod')
    expect(core['/api/v1/namespaces/{namespace}/pods/{name}/status']!['put']!.operationId).toBe('replaceCoreV1NamespacedPodStatus')
    expect(core['/api/v1/']!['get']!.operationId).toBe('getCoreV1APIResources')
    expect(Object.keys(core['/api/v1/namespaces/{namespace}/bindings']!)).toEqual(['post', 'parameters'])
  })

  it('has the same types in version 2, without what that has no words for', () => {
    const { definitions, paths: swaggerPaths } = JSON.parse(jsonOf('/openapi/v2')) as {
      definitions: Record<string, { properties: Record<string, unknown> }>
      paths: Record<string, Record<string, unknown>>
    }
    expect(definitions['io.k8s.api.apps.v1.DeploymentSpec']!.properties['strategy']).toMatchObject({
      $ref: '#/definitions/io.k8s.api.apps.v1.DeploymentStrategy',
      'x-kubernetes-patch-strategy': 'retainKeys',
    })
    expect(definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toEqual({ format: 'int-or-string', type: 'string' })
    expect(JSON.stringify(definitions)).not.toMatch(/"default":(""|\{\}|0|false)/)
    expect(swaggerPaths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']!['put']).toMatchObject({
      consumes: ['*/*'],
      parameters: expect.arrayContaining([
        { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/io.k8s.api.apps.v1.Deployment' } },
      ]) as unknown,
    })
  })

  it('types the JSON schemas of definitions as what they may hold', () => {
    const { schemas } = read('/openapi/v3/apis/apiextensions.k8s.io/v1').components
    const name = (type: string) => `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.${type}`
    const reference = (type: string) => ({ $ref: `#/components/schemas/${name(type)}` })
    expect(schemas[name('JSON')]).toEqual({})
    expect(schemas[name('JSONSchemaProps')]!['properties']).toMatchObject({
      default: reference('JSON'),
      enum: { type: 'array', items: reference('JSON') },
      items: reference('JSONSchemaPropsOrArray'),
      additionalProperties: reference('JSONSchemaPropsOrBool'),
      dependencies: { type: 'object', additionalProperties: reference('JSONSchemaPropsOrStringArray') },
    })
  })

  it('says which fields exclude each other', () => {
    const { schemas } = read('/openapi/v3/apis/flowcontrol.apiserver.k8s.io/v1').components
    expect(schemas['io.k8s.api.flowcontrol.v1.LimitResponse']!['x-kubernetes-unions']).toEqual([
      { discriminator: 'type', 'fields-to-discriminateBy': { queuing: 'Queuing' } },
    ])
  })

  it('describes the lists of custom resources, and by which fields they can be selected', () => {
    const fields = ['spec.a', 'spec.b']
    const custom = createCustomKind({
      definition: { group: 'example.com', scope: 'Namespaced' },
      names: { plural: 'widgets', kind: 'Widget' },
      version: { name: 'v1', served: true, storage: true, selectableFields: fields.map((path) => ({ jsonPath: `.${path}` })) },
      stored: undefined,
      conversion: undefined,
      revision: '1',
      readSchema: () => ({ type: 'object', properties: { spec: { type: 'object', example: { a: 1 } } } }),
    })
    const documents = createOpenApi([...kinds, custom], () => ({}))
    const { schemas } = (JSON.parse(documents.find('/openapi/v3/apis/example.com/v1')!.json().json) as Document).components
    const selectable = fields.map((fieldPath) => ({ fieldPath }))
    expect(schemas['com.example.v1.Widget']).toMatchObject({ 'x-kubernetes-selectable-fields': selectable })
    expect(schemas['com.example.v1.WidgetList']).toMatchObject({
      properties: { items: { items: { $ref: '#/components/schemas/com.example.v1.Widget' } } },
      'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'WidgetList' }],
      'x-kubernetes-selectable-fields': selectable,
    })
    const { definitions } = JSON.parse(documents.find('/openapi/v2')!.json().json) as { definitions: Record<string, unknown> }
    expect(definitions['com.example.v1.Widget']).toMatchObject({ properties: { spec: { example: { a: 1 } } } })
  })

  it('reads the descriptions only when a document is requested', () => {
    let reads = 0
    const lazy = createOpenApi(kinds, () => {
      reads++
      return {}
    })
    expect(reads).toBe(0)
    lazy.find('/openapi/v3')?.json()
    lazy.find('/openapi/v2')?.json()
    expect(reads).toBe(1)
  })
})

describe('createDescribe()', () => {
  const proposed = allStructNames().flatMap((type) =>
    structOf(type)
      .fields.filter(({ isProposal }) => isProposal)
      .map(({ name }) => [type, name] as const),
  )

  it.each(proposed)('describes %s.%s, a field of a proposal, with its stage and its gate', (type, name) =>
    expect(createDescribe({}).field(type, name)).toMatch(
      /This is an alpha field and requires enabling [A-Z]\w+ feature \(enabled by default\)\.$/,
    ),
  )

  it.each(['apps.DeploymentStatus', 'apps.ReplicaSetStatus'])('describes %s.terminatingReplicas as beta, as its gate is', (type) => {
    const outdated = { terminatingReplicas: 'This is an alpha field.' }
    const { field } = createDescribe({ V1DeploymentStatus: outdated, V1ReplicaSetStatus: outdated })
    expect(field(type, 'terminatingReplicas')).toMatch(
      /This is a beta field and requires enabling DeploymentReplicaSetTerminatingReplicas feature \(enabled by default\)\.$/,
    )
  })

  it('distinguishes types with the same name', () => {
    const { type } = createDescribe({ CoreV1Event: { '': 'old' }, EventsV1Event: { '': 'new' } })
    expect([type('core.Event'), type('events.Event'), type('core.Pod')]).toEqual(['old', 'new', undefined])
  })
})

describe('writeDescriptions()', () => {
  it('describes the fields of types without escapes, also those that are structs', async () => {
    const { writeDescriptions } = (await import(new URL('../../../scripts/openapi.mjs', import.meta.url).href)) as {
      writeDescriptions: (file: string) => Promise<number>
    }
    const file = join(mkdtempSync(join(tmpdir(), 'rollcall-descriptions-')), 'descriptions.json')
    await writeDescriptions(file)
    const { field } = createDescribe(JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof createDescribe>[0])
    const fields = allStructNames().flatMap((type) => structOf(type).fields.map(({ name }) => [type, name] as const))
    expect(fields.filter(([type, name]) => field(type, name)?.includes("\\'") === true)).toEqual([])
    expect(field('apps.DeploymentSpec', 'strategy')).toBe('The deployment strategy to use to replace existing pods with new ones.')
    expect(field('core.Pod', 'spec')).toMatch(/^Specification of the desired behavior of the pod\./)
    expect(field('apps.DeploymentList', 'metadata')).toMatch(/^Standard list metadata\./)
    const withoutText = fields.filter(
      ([type, name]) => /^(apps|batch|core|networking|policy)\./.test(type) && field(type, name) === undefined,
    )
    // The package with the texts is a version behind.
    expect(withoutText.length).toBeLessThan(60)
  })
})

describe('describeModel()', () => {
  it('takes the sentences out of a type file', async () => {
    const { describeModel } = (await import(new URL('../../../scripts/openapi.mjs', import.meta.url).href)) as {
      describeModel: (text: string) => Record<string, string>
    }
    const text = `/**
 * Kubernetes
 */
import { V1Other } from '../models/V1Other.js';
/**
* About the type.
*/
export declare class V1Some {
    /**
    * About \\\\"continue\\\\", \\\\'quotes\\\\', \\\\* and \\\\\\\\d *\\\\/, "*_/status".
    */
    '_continue'?: string;
    'other'?: V1Other;
    /**
    * IntOrString is a type that can hold an int32 or a string.
    */
    'port'?: IntOrString;
    /**
    * Two
    * lines.
    */
    'last': Array<string>;
}`
    expect(describeModel(text.replaceAll('\\\\', '\\'))).toEqual({
      '': 'About the type.',
      continue: `About "continue", 'quotes', * and \\d */, "*/status".`,
      last: 'Two\nlines.',
    })
  })
})
