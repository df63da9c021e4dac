import { describe } from 'vitest'
import { containerPath as at, type ContainerRow, keyRule, subdomainRule, testContainers } from '../testing/example-pod.ts'

const envRows: readonly ContainerRow[] = [
  ['a variable without a name', { env: [{ name: '' }] }, [`${at}.env[0].name: Required value`]],
  ['a name that only the relaxed rule allows', { env: [{ name: '1 a', value: 'x' }] }, []],
  [
    'an equals sign in a name',
    { env: [{ name: 'a=b' }] },
    [
      `${at}.env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than '='`,
    ],
  ],
  [
    'a source that names nothing',
    { env: [{ name: 'A', valueFrom: {} }] },
    [
      `${at}.env[0].valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`, \`secretKeyRef\` or \`fileKeyRef\``,
    ],
  ],
  [
    'a value and a source',
    { env: [{ name: 'A', value: 'x', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] },
    [`${at}.env[0].valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`],
  ],
  [
    'two sources',
    { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' }, configMapKeyRef: { name: 's', key: 'k' } } }] },
    [`${at}.env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time`],
  ],
  [
    'a key selector without key, one with a bad key',
    {
      env: [
        { name: 'A', valueFrom: { secretKeyRef: { name: 'S', key: '' } } },
        { name: 'B', valueFrom: { configMapKeyRef: { name: 's', key: '..' } } },
      ],
    },
    [
      `${at}.env[0].valueFrom.secretKeyRef.name: Invalid value: "S": ${subdomainRule}`,
      `${at}.env[0].valueFrom.secretKeyRef.key: Required value`,
      `${at}.env[1].valueFrom.configMapKeyRef.key: Invalid value: "..": must not be '..'`,
    ],
  ],
  [
    'fields that cannot be read',
    {
      env: [
        { name: 'A', valueFrom: { fieldRef: { apiVersion: '', fieldPath: 'metadata.name' } } },
        { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: '' } } },
        { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v2', fieldPath: 'metadata.name' } } },
        { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.whoops' } } },
        { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: "metadata.name['a']" } } },
        { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' } } },
        { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: "metadata.labels['a b']" } } },
        { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: "metadata.annotations['My/key']" } } },
      ],
    },
    [
      `${at}.env[0].valueFrom.fieldRef.apiVersion: Required value`,
      `${at}.env[1].valueFrom.fieldRef.fieldPath: Required value`,
      `${at}.env[2].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2`,
      `${at}.env[3].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.whoops": error converting fieldPath: field label not supported: metadata.whoops`,
      `${at}.env[4].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name['a']": error converting fieldPath: field label does not support subscript: metadata.name['a']`,
      `${at}.env[5].valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"`,
      `${at}.env[6].valueFrom.fieldRef: Invalid value: "a b": ${keyRule}`,
    ],
  ],
  [
    'resources that cannot be read',
    {
      env: [
        { name: 'A', valueFrom: { resourceFieldRef: { resource: '' } } },
        { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.gpu' } } },
        { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '2' } } },
        { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1m' } } },
        { name: 'A', valueFrom: { resourceFieldRef: { resource: 'requests.ephemeral-storage', divisor: '3Ki' } } },
        { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.hugepages-2Mi', divisor: '5' } } },
        { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } } },
      ],
    },
    [
      `${at}.env[0].valueFrom.resourceFieldRef.resource: Required value`,
      `${at}.env[1].valueFrom.resourceFieldRef.resource: Unsupported value: "limits.gpu": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"`,
      `${at}.env[2].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
      `${at}.env[3].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.memory": only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource`,
      `${at}.env[4].valueFrom.resourceFieldRef.divisor: Invalid value: "requests.ephemeral-storage": only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the local ephemeral storage resource`,
      `${at}.env[5].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.hugepages-2Mi": only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the hugepages resource`,
    ],
  ],
  [
    'files of variables',
    {
      env: [
        { name: 'A', valueFrom: { fileKeyRef: { key: '', volumeName: '', path: '' } } },
        { name: 'A', valueFrom: { fileKeyRef: { key: 'K', volumeName: 'data', path: 'a/../b' } } },
        { name: 'A', valueFrom: { fileKeyRef: { key: 'K', volumeName: 'data', path: 'env' } } },
      ],
    },
    [
      `${at}.env[0].valueFrom.fileKeyRef.key: Required value`,
      `${at}.env[0].valueFrom.fileKeyRef.volumeName: Required value`,
      `${at}.env[0].valueFrom.fileKeyRef.path: Required value`,
      `${at}.env[1].valueFrom.fileKeyRef.path: Invalid value: "a/../b": must not contain '..'`,
      `${at}.env[0].valueFrom.fileKeyRef.volumeName: Not found: ""`,
    ],
  ],
  [
    'sources of many variables',
    {
      envFrom: [{ prefix: 'a=' }, { configMapRef: { name: '' }, secretRef: { name: 'S' } }, { secretRef: { name: 'ends-with-dash-' } }],
    },
    [
      `${at}.envFrom[0].prefix: Invalid value: "a=": a valid environment variable name must consist only of printable ASCII characters other than '='`,
      `${at}.envFrom: Invalid value: "": must specify one of: \`configMapRef\` or \`secretRef\``,
      `${at}.envFrom[1].configMapRef.name: Required value`,
      `${at}.envFrom[1].secretRef.name: Invalid value: "S": ${subdomainRule}`,
      `${at}.envFrom: Invalid value: "": may not have more than one field specified at a time`,
    ],
  ],
]

describe('validatePod(), environment variables', () => testContainers(envRows))
