// What kubectl does with the server's schemas: kinds that are not served, validation, explanations, server-side apply.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kubectlFor, kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

const configMap = (name: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}}
data: {a: b}
`
const widget = `apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
`
const statefulSet = (claimMeta: string) => `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 0
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: c, image: i}]}
  volumeClaimTemplates:
  - ${claimMeta}
    metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`
const noMatch = 'no matches for kind "Widget" in version "example.com/v1"'

describe.skipIf(kubectlMinor() === undefined)('kubectl', { timeout: 120_000 }, () => {
  let cluster: RunningCluster
  let kubectl: ReturnType<typeof kubectlFor>

  beforeAll(async () => {
    cluster = await startCluster()
    kubectl = kubectlFor(cluster)
  })
  afterAll(() => cluster.stop())

  it.each(['apply', 'apply --server-side', 'create'])(
    '%s names a kind that is not served, and goes on with the rest of the file',
    async (verb) => {
      const file = [widget, configMap(`after-${verb.replaceAll(/\W+/g, '-')}`)].join('---\n')
      const { code, stdout, stderr } = await kubectl(`${verb} -f -`, file)
      expect(stderr).toContain(noMatch)
      expect(stdout).toMatch(/^configmap\/after-\S+ (created|serverside-applied)\n$/)
      expect(code).toBe(1)
    },
  )

  it('validates known kinds', async () => {
    expect(await kubectl('apply --validate=true -f -', configMap('valid'))).toMatchObject({ code: 0, stdout: 'configmap/valid created\n' })
    const { code, stderr } = await kubectl('apply --validate=true -f -', `${configMap('wrong')}dta: {}\n`)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('unknown field "dta"') as string })
  })

  it('explains from OpenAPI v2', async () => {
    const { stdout } = await kubectl('explain deployment.spec --output plaintext-openapiv2')
    expect(stdout).toMatch(/KIND: {5}Deployment\nVERSION: {2}apps\/v1/)
    expect(stdout).toMatch(/podReplacementPolicy\t<string>/)
    expect(stdout).toMatch(/selector\t<Object> -required-/)
  })

  it('applies a StatefulSet with whole claim templates on the server, and again without a change', async () => {
    const apply = (claimMeta: string) => kubectl('apply --server-side -f -', statefulSet(claimMeta))
    const revision = async () => (await kubectl("get statefulset db -o jsonpath='{.metadata.resourceVersion}'")).stdout
    expect(await apply('apiVersion: v1\n    kind: PersistentVolumeClaim')).toMatchObject({ code: 0, stderr: '' })
    const first = await revision()
    expect(await apply('apiVersion: v1\n    kind: PersistentVolumeClaim')).toMatchObject({ code: 0, stderr: '' })
    expect(await revision()).toBe(first)
    const { stderr } = await apply('apiVersoin: v1')
    expect(stderr).toContain('.spec.volumeClaimTemplates[0].apiVersoin: field not declared in schema')
  })
})
