import { describe, expect, it } from 'vitest'
import { blockBitsFor, nodeIpOf, PodAddresses, podCidrOf } from './addresses.ts'

describe('podCidrOf()', () => {
  it('gives each of 5,000 nodes its own block, outside of the service range', () => {
    const cidrs = Array.from({ length: 5000 }, (_, index) => podCidrOf(index, 8))
    expect(cidrs[0]).toBe('10.244.0.0/24')
    expect(cidrs[300]).toBe('10.245.44.0/24')
    expect(new Set(cidrs).size).toBe(5000)
    expect(cidrs.filter((cidr) => Number(cidr.split('.')[1]) < 128)).toEqual([])
    expect(new Set(Array.from({ length: 5000 }, (_, index) => nodeIpOf(index))).size).toBe(5000)
  })

  it('sizes blocks by the pods of a node', () => {
    expect([110, 253, 254, 1000].map(blockBitsFor)).toEqual([8, 8, 9, 10])
    expect(podCidrOf(1, 10)).toBe('10.244.4.0/22')
  })
})

describe('PodAddresses', () => {
  it('allocates each address once, and reuses a released one as late as possible', () => {
    const addresses = new PodAddresses('10.244.3.0/29')
    addresses.keep('10.244.3.3')
    expect([addresses.take(), addresses.take()]).toEqual(['10.244.3.2', '10.244.3.4'])
    addresses.release('10.244.3.2')
    expect([addresses.take(), addresses.take(), addresses.take(), addresses.take()]).toEqual([
      '10.244.3.5',
      '10.244.3.6',
      '10.244.3.2',
      undefined,
    ])
  })
})
