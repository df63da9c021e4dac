// The OpenAPI documents with the CustomResourceDefinitions of a dozen projects, read as client-go reads them, and by kubectl and Helm.
// scripts/build-openapi-tests.sh builds the reader and downloads the definitions.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeVersion2, encodeVersion3 } from '../../src/server/openapi/gnostic-encoding.ts'
import { version2, version3 } from '../../src/server/openapi/gnostic-messages.ts'
import { outputOf } from './ended-process.ts'
import { documentOf } from './every-member.ts'
import { kubectlFor, type RunningCluster, startCluster } from './running-cluster.ts'

const folder = process.env['ROLLCALL_OPENAPI_TESTS']
const helm = process.env['ROLLCALL_HELM']

interface Summary {
  readonly models: number
  readonly paths: number
  readonly groups: number
  readonly unused: readonly string[]
  readonly differences: readonly string[]
}

async function gnostic(...args: readonly string[]): Promise<Summary> {
  const { stdout } = await promisify(execFile)(join(folder!, 'gnostic'), args, { maxBuffer: 2 ** 26 })
  return JSON.parse(stdout) as Summary
}

describe.skipIf(folder === undefined)('protobuf of OpenAPI documents', () => {
  it.each([
    ['v2', version2, encodeVersion2, []],
    // gnostic reads what a callback has besides its paths as a path, and every object where it expects any value as an expression.
    ['v3', version3, encodeVersion3, ['openapi.v3.AnyOrExpression.any', 'openapi.v3.Callback.specification_extension']],
  ] as const)('has every field of gnostic in %s', async (version, table, encode, unused) => {
    const temporary = mkdtempSync(join(tmpdir(), 'rollcall-gnostic-'))
    const [json, proto] = [join(temporary, 'json'), join(temporary, 'proto')]
    const document = documentOf(table)
    writeFileSync(json, JSON.stringify(document))
    writeFileSync(proto, encode(document))
    expect(await gnostic('files', version, json, proto)).toMatchObject({ unused, differences: [] })
    rmSync(temporary, { recursive: true })
  })
})

const list = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: NAME}
  data: {a: b}
- apiVersion: cert-manager.io/v1
  kind: Issuer
  metadata: {name: NAME}
  spec: {selfSigned: {}}
`
const unknown = `apiVersion: example.com/v1
kind: Unknown
metadata: {name: a}
---
`

describe.skipIf(folder === undefined)('a cluster with many definitions', { timeout: 180_000 }, () => {
  let cluster: RunningCluster
  let kubectl: ReturnType<typeof kubectlFor>
  const ok = (args: string, input?: string) => outputOf(`kubectl ${args}`, kubectl(args, input))

  beforeAll(async () => {
    cluster = await startCluster()
    kubectl = kubectlFor(cluster)
    await ok(`create -f ${join(folder!, 'definitions')}`)
    // A definition whose names another one has.
    const names = { plural: 'others', kind: 'Issuer' }
    const schema = { openAPIV3Schema: { type: 'object' } }
    const spec = { group: 'cert-manager.io', scope: 'Namespaced', names, versions: [{ name: 'v1', served: true, storage: true, schema }] }
    const metadata = { name: 'others.cert-manager.io' }
    const conflicting = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata, spec }
    await ok('create -f -', JSON.stringify(conflicting))
  }, 180_000)
  afterAll(() => cluster?.stop())

  it('serves documents that client-go reads, each in the same way as JSON and as protobuf', async () => {
    const { models, groups, differences } = await gnostic('cluster', cluster.kubeconfig)
    expect(differences).toEqual([])
    expect(models).toBeGreaterThan(800)
    expect(groups).toBeGreaterThan(50)
  })

  it('keeps a document of version 3 under its hash, and sends clients with another hash to the present one', async () => {
    const { paths } = (await cluster.ask('GET', '/openapi/v3')).json as { paths: Record<string, { serverRelativeURL: string }> }
    for (const path of ['apis/apps/v1', 'apis/cert-manager.io/v1']) {
      const { serverRelativeURL } = paths[path]!
      const { code, headers } = await cluster.ask('GET', serverRelativeURL)
      expect([code, headers['cache-control'], headers['vary']]).toEqual([200, 'public, immutable, max-age=31536000', 'Accept'])
      const again = { 'if-none-match': String(headers['etag']) }
      expect((await cluster.ask('GET', serverRelativeURL, undefined, again)).code).toBe(304)
      const moved = await cluster.ask('GET', `/openapi/v3/${path}?hash=ABC`)
      expect([moved.code, moved.headers['location']]).toEqual([301, serverRelativeURL])
    }
  })

  it.each(['create', 'apply', 'apply --server-side'])('%s takes a List, and the rest of a file with an unknown kind', async (verb) => {
    const name = verb.replaceAll(/\W+/g, '-')
    const all = (await kubectl(`${verb} --validate=strict -f -`, list.replaceAll('NAME', name))).stdout
    expect(all).toMatch(new RegExp(`^configmap/${name} \\S+\nissuer.cert-manager.io/${name} \\S+\n$`))
    const { code, stdout, stderr } = await kubectl(`${verb} -f -`, unknown + list.replaceAll('NAME', `${name}-rest`))
    expect(stderr).toContain('no matches for kind "Unknown" in version "example.com/v1"')
    expect([code, stdout.split('\n').length]).toEqual([1, 3])
  })

  it.skipIf(helm === undefined)('takes a List of a Helm chart', async () => {
    const chart = join(cluster.folder, 'chart')
    mkdirSync(join(chart, 'templates'), { recursive: true })
    writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: list\nversion: 1.0.0\n')
    writeFileSync(join(chart, 'templates/list.yaml'), list.replaceAll('NAME', 'charted'))
    const env = { ...process.env, KUBECONFIG: cluster.kubeconfig, HELM_CACHE_HOME: cluster.folder, HELM_CONFIG_HOME: cluster.folder }
    await promisify(execFile)(helm!, ['install', 'list', chart], { env })
    expect(await ok('get issuer,configmap charted -o name')).toBe('issuer.cert-manager.io/charted\nconfigmap/charted\n')
  })
})
