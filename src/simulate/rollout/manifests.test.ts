import { describe, expect, it } from 'vitest'
import type { KubernetesObject } from '../../api/types.ts'
import { checkQuantities, checkSize, readManifest, sortObjects } from './manifests.ts'

const yaml = await import('yaml')

const check = (kind: string, spec: object) =>
  checkQuantities({ object: { kind, spec } as KubernetesObject, place: { source: 'a.yaml', line: 1, column: 1 } })

describe('checkQuantities()', () => {
  const containers = (resources: object) => ({ template: { spec: { containers: [{ name: 'a', resources }] } } })

  it.each([
    ['amounts of a container', 'Deployment', containers({ requests: { cpu: '500m' }, limits: { memory: '1Gi', cpu: 2 } })],
    ['limits of a namespace', 'LimitRange', { limits: [{ type: 'Container', max: { cpu: '2' }, defaultRequest: { memory: '64Mi' } }] }],
    ['a quota', 'ResourceQuota', { hard: { pods: '5', 'requests.cpu': '4' } }],
    ['volumes that are none', 'Deployment', { template: { spec: { volumes: null, containers: [] } } }],
  ])('takes %s', (_, kind, spec) => {
    expect(() => check(kind, spec)).not.toThrow()
  })

  it.each([
    ['amounts of a container', 'Deployment', containers({ limits: { memory: 'much' } })],
    ['limits of a namespace', 'LimitRange', { limits: [{ type: 'Container', max: { cpu: 'much' } }] }],
    ['a quota', 'ResourceQuota', { hard: { pods: 'much' } }],
  ])('refuses %s that are no amounts', (_, kind, spec) => {
    expect(() => check(kind, spec)).toThrow('"much" is not a quantity')
  })
})

describe('what has to be changed first', () => {
  const read = (text: string) => sortObjects(readManifest(yaml, { name: 'a.yaml', text }))
  it.each([
    [
      'a value that is not rendered',
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: {{ .Values.name }} }',
      /^a\.yaml:3:\d+: this is a template/,
    ],
    ['a line that is not rendered', '{{- if .Values.on }}\nkind: Deployment\n{{- end }}', /^a\.yaml:\d+:\d+: this is a template/],
    ['an old version', 'apiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: { name: a }', /Change its apiVersion to apps\/v1$/],
    [
      'a Rollout of Argo',
      'apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: { name: a }',
      /Simulate a Deployment with its template/,
    ],
  ])('names %s', (_, text, message) => {
    expect(() => read(text)).toThrow(message)
  })
  it('takes braces in strings', () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n  a: |\n    {{ if .x }}\n  b: "{{ $labels.pod }}"'
    expect(read(text).applied).toHaveLength(1)
  })
})

describe('checkSize()', () => {
  const size = (spec: object | null) =>
    checkSize({
      object: { kind: 'Deployment', spec } as KubernetesObject,
      place: { source: 'a.yaml', line: 1, column: 1 },
      fields: new Map([['spec.replicas', [6, 13]]]),
    })
  it.each([[null], [{}], [{ replicas: null }], [{ replicas: 50_000 }], [{ parallelism: 3 }]])('takes %o', (spec) => {
    expect(() => size(spec)).not.toThrow()
  })
  it('refuses more pods than can be simulated, with the place', () => {
    expect(() => size({ replicas: 2_000_000 })).toThrow('a.yaml:6:13: cannot simulate 2000000 pods of one workload. The maximum is 50000')
    expect(() => size({ parallelism: 1e9 })).toThrow('cannot simulate 1000000000 pods')
  })
})

describe('sortObjects()', () => {
  const planned = (apiVersion: string, kind: string, annotations?: object) => ({
    object: { apiVersion, kind, metadata: { name: 'a', ...(annotations && { annotations }) } } as KubernetesObject,
    place: { source: 'a.yaml' },
  })

  it('leaves out Helm hooks, definitions and instances of custom resources, and webhooks, and says so', () => {
    const { applied, ignored } = sortObjects([
      planned('v1', 'ConfigMap'),
      planned('batch/v1', 'Job', { 'helm.sh/hook': 'pre-install' }),
      planned('v1', 'Pod', { 'helm.sh/hook': 'test' }),
      planned('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
      planned('example.com/v1', 'Widget'),
      planned('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'),
      planned('networking.k8s.io/v1', 'Ingress'),
    ])
    expect(applied.map(({ object }) => object.kind)).toEqual(['ConfigMap'])
    expect(ignored).toEqual([
      'Job/a (a Helm hook)',
      'Pod/a (a Helm hook)',
      'CustomResourceDefinition/a',
      'Widget/a',
      'ValidatingWebhookConfiguration/a',
      'Ingress/a',
    ])
  })

  it('refuses a misspelt kind', () => {
    expect(() => sortObjects([planned('apps/v1', 'Deploymnt')])).toThrow('no such kind: "Deploymnt" in "apps/v1"')
  })
})

it('reads YAML as kubectl does: octal numbers, words for booleans, merged fields', async () => {
  const text = `apiVersion: v1
kind: Pod
metadata: &meta { name: a, labels: { zip: '0644' } }
spec: { mode: 0644, ten: 10, zero: 0, hostNetwork: yes, paused: off, <<: *meta }`
  const [planned] = readManifest(yaml, { name: 'a.yaml', text })
  expect(planned!.object).toMatchObject({
    metadata: { labels: { zip: '0644' } },
    spec: { mode: 420, ten: 10, zero: 0, hostNetwork: true, paused: false, name: 'a' },
  })
})
