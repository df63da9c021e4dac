// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { ipAddresses, validateIpAddress } from './kind.ts'

const ipAddress: Subject = { type: 'networking.IPAddress', strategy: ipAddresses.strategy, base: {} }
creates(validateIpAddress, ipAddress, [
  [
    'bad ip',
    { metadata: { name: 'x' }, spec: { parentRef: {} } },
    [
      'metadata.name: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'spec.parentRef.resource: Required value',
      'spec.parentRef.name: Required value',
    ],
  ],
  [
    'parent in a namespace that is a path segment',
    { metadata: { name: '1.2.3.4' }, spec: { parentRef: { resource: 'services', name: 'x', namespace: 'A' } } },
    [],
  ],
  [
    'parent in a namespace that is no path segment',
    { metadata: { name: '1.2.3.4' }, spec: { parentRef: { resource: 'services', name: 'x', namespace: 'a/b' } } },
    [`spec.parentRef.namespace: Invalid value: "a/b": may not contain '/'`],
  ],
  [
    'a generated name that is no address',
    { metadata: { name: '1.2.3.4', generateName: 'a' }, spec: { parentRef: { resource: 'services', name: 'x' } } },
    ['metadata.generateName: Invalid value: "a": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  ['no parent', { metadata: { name: '1.2.3.4' }, spec: {} }, ['spec.parentRef: Required value']],
])
