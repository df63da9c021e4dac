import { describe, expect, it } from 'vitest'
import { packSubsets } from './packed-subsets.ts'

const ips = (...all: string[]) => all.map((ip) => ({ ip }))
const ports = (...all: number[]) => all.map((port) => ({ port, protocol: 'TCP' }))
const shown = (subsets: Parameters<typeof packSubsets>[0]) =>
  packSubsets(subsets).map(({ entries, ports }) => [
    entries.map(({ address, ready }) => `${address.ip}${ready ? '' : ' not ready'}`).join(', '),
    ports.map(({ port }) => port).join(', '),
  ])

describe('packSubsets()', () => {
  it.each([
    ['one subset', [{ addresses: ips('2', '1'), ports: ports(80, 90) }], [['1, 2', '80, 90']]],
    [
      'addresses of two subsets with the same ports',
      [
        { addresses: ips('1'), ports: ports(80) },
        { notReadyAddresses: ips('2'), ports: ports(80) },
      ],
      [['1, 2 not ready', '80']],
    ],
    [
      'ports of two subsets with the same addresses',
      [
        { addresses: ips('1'), ports: ports(80) },
        { addresses: ips('1'), ports: ports(90) },
      ],
      [['1', '80, 90']],
    ],
    [
      'a port that all addresses have, and one that some have',
      [
        { addresses: ips('1'), ports: ports(80, 90) },
        { addresses: ips('2'), ports: ports(90) },
      ],
      [
        ['1', '80'],
        ['1, 2', '90'],
      ],
    ],
    [
      'an address that is ready here and not ready there',
      [
        { notReadyAddresses: ips('1'), ports: ports(80) },
        { addresses: ips('1'), ports: ports(80) },
      ],
      [['1 not ready', '80']],
    ],
    ['addresses without ports', [{ addresses: ips('1') }], [['1', '']]],
    ['a subset without addresses', [{ ports: ports(80) }], []],
  ])('%s', (_, subsets, expected) => {
    expect(shown(subsets)).toEqual(expected)
  })
})
