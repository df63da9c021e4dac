import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { endpointSlices } from './kind.ts'
import { validateEndpointSlice, validateEndpointSliceUpdate } from './validation.ts'

const immutable = 'field is immutable'
const metadata = { name: 'a', namespace: 'default' }
const slice: Subject = {
  type: 'discovery.EndpointSlice',
  strategy: { default: endpointSlices.strategy.default },
  base: { metadata, addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [{ port: 80 }] },
}
creates(validateEndpointSlice, slice, [
  ['a plain one', {}, []],
  ['no type', { addressType: '' }, ['addressType: Required value']],
  ['an unknown type', { addressType: 'Post' }, ['addressType: Unsupported value: "Post": supported values: "FQDN", "IPv4", "IPv6"']],
  ['an endpoint nowhere', { endpoints: [{}] }, ['endpoints[0].addresses: Required value']],
  [
    'an address of the other family',
    { addressType: 'IPv6' },
    ['endpoints[0].addresses: Invalid value: "10.0.0.1": must be an IPv6 address'],
  ],
  [
    'a name that is short',
    { addressType: 'FQDN', endpoints: [{ addresses: ['a'] }] },
    ['endpoints[0].addresses[0]: Invalid value: "a": should be a domain with at least two segments separated by dots'],
  ],
  ['ports of one name', { ports: [{ port: 80 }, { port: 81 }] }, ['ports[1].name: Duplicate value: ""']],
])
updates(validateEndpointSliceUpdate, slice, [
  ['another type', { addressType: 'FQDN', endpoints: [] }, {}, [`addressType: Invalid value: null: ${immutable}`]],
])
