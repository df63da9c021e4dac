import { describe, expect, test } from 'vitest'
import { kinds } from '../../api/kinds.ts'
import { builtInApiServices, customApiServices } from './local-api-services.ts'

describe('builtInApiServices()', () => {
  test('has one for each served version but those of APIServices and usage metrics', () => {
    const served = new Set(kinds.map(({ group, version }) => `${version}.${group}`))
    served.delete('v1.apiregistration.k8s.io')
    served.delete('v1beta1.metrics.k8s.io')
    expect(
      builtInApiServices()
        .map(({ metadata }) => metadata?.name)
        .toSorted(),
    ).toEqual([...served].toSorted())
  })

  test('has the core group without a name', () => {
    expect(builtInApiServices()[0]).toEqual({
      metadata: { name: 'v1.', labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' } },
      spec: { version: 'v1', groupPriorityMinimum: 18000, versionPriority: 1 },
    })
  })
})

test('customApiServices() has one for all kinds of a version', () => {
  const [kind] = kinds
  const one = { ...kind!, group: 'zoo.example.com', version: 'v1' }
  expect([...customApiServices([one, { ...one, plural: 'others' }]).values()]).toEqual([
    {
      metadata: { name: 'v1.zoo.example.com', labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' } },
      spec: { group: 'zoo.example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 },
    },
  ])
})
