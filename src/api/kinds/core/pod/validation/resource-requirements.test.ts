import { describe, expect, it } from 'vitest'
import type { FieldError } from '../../../../machinery/field-error.ts'
import {
  validateContainerResourceName,
  validateResourceName,
  validateResourceQuantity,
} from '../../../../machinery/validation/resources.ts'
import type { ResourceRequirements } from '../../../../types.ts'
import { messagesOf } from '../testing/example-pod.ts'
import { checkResourceRequirements } from './resource-requirements.ts'

const rows: readonly (readonly [name: string, resources: ResourceRequirements, messages: readonly string[]])[] = [
  ['requests within limits', { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } }, []],
  ['equal in other units', { requests: { cpu: '1000m' }, limits: { cpu: '1' } }, []],
  [
    'a request above its limit',
    { requests: { cpu: '2' }, limits: { cpu: '1500m' } },
    ['r.requests: Invalid value: "2": must be less than or equal to cpu limit of 1500m'],
  ],
  [
    'an extended resource that is overcommitted',
    { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '2' } },
    ['r.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2'],
  ],
  [
    'an extended resource without a limit',
    { requests: { 'example.com/gpu': '1' } },
    ['r.limits: Required value: Limit must be set for non overcommitable resources'],
  ],
  [
    'half an extended resource',
    { limits: { 'example.com/gpu': '500m' } },
    ['r.limits[example.com/gpu]: Invalid value: "500m": must be an integer'],
  ],
  ['a negative amount', { requests: { memory: '-1' } }, ['r.requests[memory]: Invalid value: "-1": must be greater than or equal to 0']],
  [
    'huge pages alone, and not whole ones',
    { limits: { 'hugepages-2Mi': '3Mi' } },
    [
      'r.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      'r: Forbidden: HugePages require cpu or memory',
    ],
  ],
  ['huge pages with memory', { limits: { 'hugepages-2Mi': '4Mi', memory: '1Gi' }, requests: { 'hugepages-2Mi': '4Mi' } }, []],
  [
    'storage, which is no resource of containers',
    { limits: { storage: '1Gi' } },
    ['r.limits[storage]: Invalid value: "storage": must be a standard resource for containers'],
  ],
  [
    'a native resource that is not one',
    { limits: { 'requests.example.com/gpu': '1' } },
    ['r.limits[requests.example.com/gpu]: Invalid value: "requests.example.com/gpu": doesn\'t follow extended resource name standard'],
  ],
  [
    'claims',
    {
      claims: [
        { name: '' },
        { name: 'a', request: 'x' },
        { name: 'a', request: 'x' },
        { name: 'a' },
        { name: 'a' },
        { name: 'b', request: 'Y' },
      ],
    },
    [
      'r.claims[0]: Required value',
      'r.claims[2]: Duplicate value: "a/x"',
      'r.claims[3]: Duplicate value: "a"',
      'r.claims[4]: Duplicate value: "a"',
      "r.claims[5].request: Invalid value: \"Y\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'r.claims[5]: Not found: "b": must be one of the names in pod.spec.resourceClaims: a, c',
    ],
  ],
]

const messagesFor = (resources: ResourceRequirements, options: Parameters<typeof checkResourceRequirements>[3]) => {
  const errors: FieldError[] = []
  checkResourceRequirements(errors, resources, () => 'r', options)
  return messagesOf(errors)
}

describe('checkResourceRequirements()', () => {
  it.each(rows)('%s', (_name, resources, messages) => {
    expect(messagesFor(resources, { claimNames: new Set(['c', 'a']) })).toEqual(messages)
  })

  it('says when a pod has no claims at all', () => {
    expect(messagesFor({ claims: [{ name: 'a' }] }, {})).toEqual([
      'r.claims[0]: Not found: "a": must be one of the names in pod.spec.resourceClaims which is empty',
    ])
  })
})

describe('validateContainerResourceName()', () => {
  it.each([
    ['cpu', []],
    ['hugepages-1Gi', []],
    ['example.com/gpu', []],
    ['kubernetes.io/anything', []],
    ['pods', ['p: Invalid value: "pods": must be a standard resource for containers']],
  ])('%s', (name, messages) => {
    expect(messagesOf(validateContainerResourceName(name, 'p'))).toEqual(messages)
  })
})

describe('validateResourceName()', () => {
  it('knows what quotas and claims count', () => {
    for (const name of ['pods', 'storage', 'requests.storage', 'limits.cpu', 'requests.hugepages-2Mi', 'a/b'])
      expect(validateResourceName(name, 'p')).toEqual([])
    expect(messagesOf(validateResourceName('gpu', 'p'))).toEqual([
      'p: Invalid value: "gpu": must be a standard resource type or fully qualified',
    ])
  })
})

describe('validateResourceQuantity()', () => {
  it('requires whole numbers of things that are counted', () => {
    expect(messagesOf(validateResourceQuantity('pods', '1500m', 'p'))).toEqual(['p: Invalid value: "1500m": must be an integer'])
    expect(validateResourceQuantity('pods', '1E', 'p')).toEqual([])
    expect(messagesOf(validateResourceQuantity('pods', '999999999999999999999', 'p'))).toEqual([
      'p: Invalid value: "999999999999999999999": must be an integer',
    ])
    expect(validateResourceQuantity('cpu', '1500m', 'p')).toEqual([])
  })
})
