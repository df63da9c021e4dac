// Custom resources through kubectl: definitions, objects, columns, explanations, scale, restarts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kubectlFor, kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: crontabs, singular: crontab, kind: CronTab, shortNames: [ct], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
    additionalPrinterColumns:
    - {name: Image, type: string, jsonPath: .spec.image}
    - {name: Replicas, type: integer, jsonPath: .spec.replicas}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            description: What is wanted.
            x-kubernetes-validations:
            - {rule: self.replicas <= 5, message: too many replicas}
            properties:
              image: {type: string, default: busybox}
              replicas: {type: integer, minimum: 0}
          status:
            type: object
            properties:
              replicas: {type: integer}
`
const crontab = (replicas: number, more = '') => `apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: nightly}
spec: {replicas: ${replicas}${more}}
`

describe.skipIf(kubectlMinor() === undefined)('kubectl with custom resources', { timeout: 120_000 }, () => {
  let cluster: RunningCluster
  let kubectl: ReturnType<typeof kubectlFor>

  beforeAll(async () => {
    cluster = await startCluster()
    kubectl = kubectlFor(cluster)
  })
  afterAll(() => cluster.stop())

  it('applies, prints, explains, scales and deletes them', async () => {
    expect((await kubectl('apply -f -', definition)).code).toBe(0)
    expect((await kubectl('apply -f -', crontab(2))).stdout).toContain('crontab.stable.example.com/nightly created')
    expect((await kubectl('get ct')).stdout).toMatch(/NAME +IMAGE +REPLICAS\nnightly +busybox +2\n/)
    expect((await kubectl('get all')).stdout).toContain('crontab.stable.example.com/nightly')
    const listed = JSON.parse((await kubectl('get --raw /apis/stable.example.com/v1/crontabs')).stdout)
    expect(listed.items).toMatchObject([{ apiVersion: 'stable.example.com/v1', kind: 'CronTab', metadata: { name: 'nightly' } }])
    expect((await kubectl('explain ct.spec')).stdout).toContain('What is wanted.')
    expect((await kubectl('scale ct nightly --replicas=3')).code).toBe(0)
    expect((await kubectl('get ct nightly -o jsonpath={.spec.replicas}')).stdout).toBe('3')
    expect((await kubectl('apply -f -', crontab(9))).stderr).toContain(
      'The CronTab "nightly" is invalid: spec: Invalid value: too many replicas',
    )
    expect((await kubectl('apply -f -', crontab(2, ', speed: 1'))).stderr).toContain('unknown field "spec.speed"')
    expect((await kubectl('apply --server-side --force-conflicts -f -', crontab(1))).code).toBe(0)
    expect((await kubectl('delete crd crontabs.stable.example.com')).code).toBe(0)
    expect((await kubectl('get ct')).code).not.toBe(0)
  })
})
