import { describe } from 'vitest'
import { containerPath as at, type ContainerRow, testContainers } from '../testing/example-pod.ts'

const mountRows: readonly ContainerRow[] = [
  [
    'a mount of nothing',
    { volumeMounts: [{ name: '', mountPath: '' }] },
    [
      `${at}.volumeMounts[0].name: Required value`,
      `${at}.volumeMounts[0].name: Not found: ""`,
      `${at}.volumeMounts[0].mountPath: Required value`,
    ],
  ],
  ['a volume that is not there', { volumeMounts: [{ name: 'gone', mountPath: '/a' }] }, [`${at}.volumeMounts[0].name: Not found: "gone"`]],
  [
    'one path for two mounts',
    {
      volumeMounts: [
        { name: 'data', mountPath: '/a' },
        { name: 'data', mountPath: '/a' },
      ],
    },
    [`${at}.volumeMounts[1].mountPath: Invalid value: "/a": must be unique`],
  ],
  [
    'paths inside of a volume',
    {
      volumeMounts: [
        { name: 'data', mountPath: '/a', subPath: '/etc' },
        { name: 'data', mountPath: '/b', subPath: 'a', subPathExpr: '../b' },
      ],
    },
    [
      `${at}.volumeMounts.subPath: Invalid value: "/etc": must be a relative path`,
      `${at}.volumeMounts[1].subPathExpr: Invalid value: "../b": subPathExpr and subPath are mutually exclusive`,
      `${at}.volumeMounts.subPathExpr: Invalid value: "../b": must not contain '..'`,
    ],
  ],
  [
    'mount propagation',
    {
      volumeMounts: [
        { name: 'data', mountPath: '/a', mountPropagation: 'Both' },
        { name: 'data', mountPath: '/b', mountPropagation: 'Bidirectional' },
      ],
    },
    [
      `${at}.volumeMounts.mountPropagation: Unsupported value: "Both": supported values: "Bidirectional", "HostToContainer", "None"`,
      `${at}.volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers`,
    ],
  ],
  [
    'recursive read-only mounts',
    {
      volumeMounts: [
        { name: 'data', mountPath: '/a', recursiveReadOnly: 'Enabled', mountPropagation: 'HostToContainer' },
        { name: 'data', mountPath: '/b', recursiveReadOnly: 'Yes' },
      ],
    },
    [
      `${at}.volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true`,
      `${at}.volumeMounts.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified`,
      `${at}.volumeMounts.recursiveReadOnly: Unsupported value: "Yes": supported values: "Disabled", "Enabled", "IfPossible"`,
    ],
  ],
  [
    'block devices',
    {
      volumeMounts: [{ name: 'data', mountPath: '/dev/a' }],
      volumeDevices: [
        { name: 'data', devicePath: '/dev/a' },
        { name: 'data', devicePath: '' },
        { name: '', devicePath: '/../a' },
      ],
    },
    [
      `${at}.volumeMounts[0].name: Invalid value: "data": must not already exist in volumeDevices`,
      `${at}.volumeDevices[0].name: Invalid value: "data": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode`,
      `${at}.volumeDevices[0].name: Invalid value: "data": must not already exist in volumeMounts`,
      `${at}.volumeDevices[0].devicePath: Invalid value: "/dev/a": must not already exist as a path in volumeMounts`,
      `${at}.volumeDevices[1].name: Invalid value: "data": must be unique`,
      `${at}.volumeDevices[1].name: Invalid value: "data": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode`,
      `${at}.volumeDevices[1].devicePath: Required value`,
      `${at}.volumeDevices[1].name: Invalid value: "data": must not already exist in volumeMounts`,
      `${at}.volumeDevices[2].name: Required value`,
      `${at}.volumeDevices[2].name: Not found: ""`,
      `${at}.volumeDevices[2].devicePath: Invalid value: "/../a": can not contain backsteps ('..')`,
    ],
  ],
]

describe('validatePod(), mounts', () => testContainers(mountRows))
