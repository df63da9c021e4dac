import { describe, expect, it } from 'vitest'
import type { Loose } from '../../../testing/prepared-objects.ts'
import { qualityOfService } from './quality-of-service.ts'

const both = { cpu: '1', memory: '1Gi' }
const spec = (containers: Loose[], more: Loose = {}) =>
  ({ containers: containers.map((resources) => ({ name: 'c', resources })), ...more }) as Loose

describe('qualityOfService()', () => {
  it.each([
    ['nothing asked', spec([{}]), 'BestEffort'],
    ['only other resources', spec([{ limits: { 'example.com/gpu': '1' }, requests: { 'example.com/gpu': '1' } }]), 'BestEffort'],
    ['only zeros', spec([{ requests: { cpu: '0' } }]), 'BestEffort'],
    ['all limited and requested', spec([{ limits: both, requests: both }]), 'Guaranteed'],
    ['the same amount in other words', spec([{ limits: { cpu: '1000m', memory: '1Gi' }, requests: both }]), 'Guaranteed'],
    ['one container without', spec([{ limits: both, requests: both }, {}]), 'Burstable'],
    ['less requested than limited', spec([{ limits: both, requests: { cpu: '500m', memory: '1Gi' } }]), 'Burstable'],
    ['memory alone', spec([{ limits: { memory: '1Gi' }, requests: { memory: '1Gi' } }]), 'Burstable'],
    [
      'an init container without',
      spec([{ limits: both, requests: both }], { initContainers: [{ name: 'i', resources: {} }] }),
      'Burstable',
    ],
    ['the pod as a whole', spec([{}], { resources: { limits: both, requests: both } }), 'Guaranteed'],
    ['the pod as a whole, requests only', spec([{}], { resources: { requests: both } }), 'Burstable'],
    ['the pod as a whole, without memory', spec([{}], { resources: { limits: { cpu: '1' }, requests: { cpu: '1' } } }), 'Burstable'],
    ['the pod as a whole asks for nothing', spec([{ limits: both, requests: both }], { resources: {} }), 'Guaranteed'],
    ['no containers', spec([]), 'BestEffort'],
  ])('%s', (_, pod, expected) => {
    expect(qualityOfService(pod)).toBe(expected)
  })
})
