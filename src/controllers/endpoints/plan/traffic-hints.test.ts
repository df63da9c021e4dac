import { describe, expect, it } from 'vitest'
import type { Service } from '../../../api/types.ts'
import { planHints } from './traffic-hints.ts'

const place = { ready: true, nodeName: 'node-1', zone: 'zone-a' }
const zoneHint = { hints: { forZones: [{ name: 'zone-a' }] } }
const service = (trafficDistribution?: string, annotations: Record<string, string> = {}) =>
  ({ metadata: { annotations }, spec: { ...(trafficDistribution !== undefined && { trafficDistribution }) } }) as Service

describe('planHints()', () => {
  it.each([
    ['no distribution', service(), place, {}],
    ['PreferClose', service('PreferClose'), place, zoneHint],
    ['PreferSameZone', service('PreferSameZone'), place, zoneHint],
    ['PreferSameNode', service('PreferSameNode'), place, { hints: { forNodes: [{ name: 'node-1' }], forZones: [{ name: 'zone-a' }] } }],
    ['an endpoint that is not ready', service('PreferClose'), { ...place, ready: false }, {}],
    ['a node without a zone', service('PreferClose'), { ...place, zone: undefined }, {}],
    [
      'PreferSameNode without a zone',
      service('PreferSameNode'),
      { ...place, zone: undefined },
      { hints: { forNodes: [{ name: 'node-1' }] } },
    ],
    ['the older annotation beside the field', service('PreferClose', { 'service.kubernetes.io/topology-mode': 'Auto' }), place, {}],
    ['the older annotation turned off', service('PreferClose', { 'service.kubernetes.io/topology-mode': 'Disabled' }), place, zoneHint],
  ])('%s', (_, owner, where, expected) => {
    expect(planHints(owner, where)).toEqual(expected)
  })
})
