import { describe, expect, test } from 'vitest'
import type { EndpointSlice, Service } from '../../api/types.ts'
import { judgeBackend, judgeDiscovery, statusWith } from './availability.ts'

const reference = { namespace: 'kube-system', name: 'adapter', port: 443 }
const service = (spec: Service['spec']): Service => ({ metadata: { name: 'adapter' }, spec }) as Service
const listening = service({ type: 'ClusterIP', ports: [{ port: 443, name: 'https' }] })
const slice = (ready: boolean | undefined, name: string): EndpointSlice =>
  ({
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'], conditions: ready === undefined ? {} : { ready } }],
    ports: [{ name, port: 8443 }],
  }) as EndpointSlice

describe('judgeBackend()', () => {
  test.each([
    ['no service', undefined, [], 'ServiceNotFound', 'service/adapter in "kube-system" is not present'],
    [
      'another port',
      service({ ports: [{ port: 80 }] }),
      [],
      'ServicePortError',
      'service/adapter in "kube-system" is not listening on port 443',
    ],
    ['no slices', listening, [], 'EndpointsNotFound', 'cannot find endpointslices for service/adapter in "kube-system"'],
    [
      'no ready endpoint',
      listening,
      [slice(false, 'https')],
      'MissingEndpoints',
      'endpointslices for service/adapter in "kube-system" have no addresses with port name "https"',
    ],
    [
      'a port of another name',
      listening,
      [slice(true, 'http')],
      'MissingEndpoints',
      'endpointslices for service/adapter in "kube-system" have no addresses with port name "https"',
    ],
  ])('%s', (_, given, slices, reason, message) => {
    expect(judgeBackend({ reference, service: given, slices })).toEqual({ status: 'False', reason, message })
  })

  test.each([
    ['a ready endpoint', listening, [slice(true, 'https')]],
    ['an endpoint of unknown readiness', listening, [slice(undefined, 'https')]],
    ['another host, which has no endpoints', service({ type: 'ExternalName', externalName: 'localhost' }), []],
  ])('leaves %s to the discovery check', (_, given, slices) => {
    expect(judgeBackend({ reference, service: given, slices })).toBeUndefined()
  })
})

describe('statusWith()', () => {
  const passed = judgeDiscovery(undefined)
  const failed = judgeDiscovery('bad status from https://10.0.0.1:443/apis/a/v1: 500')
  const condition = (status: string, reason: string, message: string, lastTransitionTime: string) => ({
    type: 'Available',
    status,
    lastTransitionTime,
    reason,
    message,
  })

  test('adds the condition', () => {
    expect(statusWith(undefined, passed, 't1')).toEqual({ conditions: [condition('True', 'Passed', 'all checks passed', 't1')] })
  })

  test('changes nothing when nothing changed', () => {
    expect(statusWith({ conditions: [condition('True', 'Passed', 'all checks passed', 't1')] }, passed, 't2')).toBeUndefined()
  })

  test('keeps the time while the status stays', () => {
    const before = { conditions: [condition('False', 'ServiceNotFound', 'x', 't1')] }
    expect(statusWith(before, failed, 't2')).toEqual({ conditions: [condition('False', 'FailedDiscoveryCheck', failed.message, 't1')] })
  })

  test('moves the time with the status', () => {
    const before = { conditions: [condition('True', 'Passed', 'all checks passed', 't1')] }
    expect(statusWith(before, failed, 't2')).toEqual({ conditions: [condition('False', 'FailedDiscoveryCheck', failed.message, 't2')] })
  })
})
