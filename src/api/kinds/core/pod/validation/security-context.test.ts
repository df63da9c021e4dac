import { describe } from 'vitest'
import { exampleContainer, type SpecRow, subdomainRule, testSpecs } from '../testing/example-pod.ts'

const idRule = 'must be between 0 and 2147483647, inclusive'
const _ipRule = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'

const securityRows: readonly SpecRow[] = [
  [
    'ids of a pod',
    {
      hostPID: true,
      shareProcessNamespace: true,
      securityContext: { fsGroup: -1, runAsUser: -2, runAsGroup: 2147483648, supplementalGroups: [0, -3], fsGroupChangePolicy: 'Never' },
    },
    [
      `spec.securityContext.fsGroup: Invalid value: -1: ${idRule}`,
      `spec.securityContext.runAsUser: Invalid value: -2: ${idRule}`,
      `spec.securityContext.runAsGroup: Invalid value: 2147483648: ${idRule}`,
      `spec.securityContext.supplementalGroups[1]: Invalid value: -3: ${idRule}`,
      'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
      'spec.securityContext.fsGroupChangePolicy: Unsupported value: "Never": supported values: "Always", "OnRootMismatch"',
    ],
  ],
  [
    'sysctls and policies of a pod',
    {
      hostNetwork: true,
      hostIPC: true,
      securityContext: {
        sysctls: [
          { name: '', value: '' },
          { name: 'A', value: '' },
          { name: 'net.ipv4.x', value: '' },
          { name: 'kernel.sem', value: '' },
          { name: 'vm.x', value: '' },
          { name: 'vm.x', value: '' },
        ],
        supplementalGroupsPolicy: 'None',
        seLinuxChangePolicy: 'MountOption',
      },
    },
    [
      'spec.securityContext.sysctls[0].name: Required value',
      'spec.securityContext.sysctls[1].name: Invalid value: "A": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
      'spec.securityContext.sysctls[2].name: Invalid value: "net.ipv4.x": may not be specified when \'hostNetwork\' is true',
      'spec.securityContext.sysctls[3].name: Invalid value: "kernel.sem": may not be specified when \'hostIPC\' is true',
      'spec.securityContext.sysctls[5].name: Duplicate value: "vm.x"',
      'spec.securityContext.supplementalGroupsPolicy: Unsupported value: "None": supported values: "Merge", "Strict"',
      'spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"',
    ],
  ],
  [
    'profiles of a pod',
    { securityContext: { seccompProfile: { type: 'Localhost' }, appArmorProfile: { type: 'Localhost', localhostProfile: ' a' } } },
    [
      'spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
      'spec.securityContext.appArmorProfile.localhostProfile: Invalid value: " a": must not be padded with whitespace',
    ],
  ],
  [
    'a security context of a container',
    {
      containers: [
        exampleContainer({
          securityContext: {
            runAsUser: -1,
            runAsGroup: -1,
            procMount: 'Unmasked',
            privileged: true,
            allowPrivilegeEscalation: false,
            capabilities: { add: ['CAP_SYS_ADMIN'] },
            seccompProfile: { type: 'Unconfined', localhostProfile: 'x' },
            appArmorProfile: { type: '' },
          },
        }),
      ],
    },
    (() => {
      const at = 'spec.containers[0].securityContext'
      const shown =
        '{"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":null},"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":-1,"RunAsGroup":-1,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":"Unmasked","SeccompProfile":{"Type":"Unconfined","LocalhostProfile":"x"},"AppArmorProfile":{"Type":"","LocalhostProfile":null}}'
      return [
        `${at}.runAsUser: Invalid value: -1: ${idRule}`,
        `${at}.runAsGroup: Invalid value: -1: ${idRule}`,
        `${at}.procMount: Invalid value: "Unmasked": \`hostUsers\` must be false to use \`Unmasked\``,
        `${at}.seccompProfile.localhostProfile: Invalid value: {"Type":"Unconfined","LocalhostProfile":"x"}: can only be set when seccomp type is Localhost`,
        `${at}: Invalid value: ${shown}: cannot set \`allowPrivilegeEscalation\` to false and \`privileged\` to true`,
        `${at}: Invalid value: ${shown}: cannot set \`allowPrivilegeEscalation\` to false and \`capabilities.Add\` CAP_SYS_ADMIN`,
        `${at}.appArmorProfile.type: Required value: type is required when appArmorProfile is set`,
      ]
    })(),
  ],
  [
    'user names of Windows',
    {
      securityContext: { windowsOptions: { gmsaCredentialSpecName: 'A', gmsaCredentialSpec: '', runAsUserName: '..\\' } },
      containers: [exampleContainer({ securityContext: { windowsOptions: { runAsUserName: 'a\\b\\c' } } })],
    },
    [
      'spec.containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
      `spec.securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: "A": ${subdomainRule}`,
      'spec.securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
      `spec.securityContext.windowsOptions.runAsUserName: Invalid value: "..\\\\": runAsUserName's Domain doesn't match the NetBios nor the DNS format`,
      `spec.securityContext.windowsOptions.runAsUserName: Invalid value: "..\\\\": runAsUserName's User cannot be empty`,
    ],
  ],
  [
    'host processes',
    {
      securityContext: { windowsOptions: { hostProcess: true } },
      containers: [exampleContainer({ securityContext: { windowsOptions: { hostProcess: false } } }), exampleContainer({ name: 'b' })],
    },
    [
      'spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true',
      'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
    ],
  ],
  [
    'what Windows does not have',
    {
      os: { name: 'windows' },
      hostUsers: true,
      hostPID: true,
      securityContext: { runAsUser: 0, sysctls: [{ name: 'a', value: '' }], seLinuxOptions: {} },
      containers: [exampleContainer({ securityContext: { privileged: false, capabilities: {} } })],
      resources: {},
    },
    [
      'spec.resources: Forbidden: may not be set for a windows pod',
      'spec.securityContext.seLinuxOptions: Forbidden: cannot be set for a windows pod',
      'spec.hostUsers: Forbidden: cannot be set for a windows pod',
      'spec.hostPID: Forbidden: cannot be set for a windows pod',
      'spec.securityContext.sysctls: Forbidden: cannot be set for a windows pod',
      'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
      'spec.containers[0].securityContext.capabilities: Forbidden: cannot be set for a windows pod',
      'spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod',
    ],
  ],
  [
    'what Linux does not have',
    { os: { name: 'linux' }, securityContext: { windowsOptions: {} } },
    ['spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod'],
  ],
]

describe('validatePod(), security contexts', () => testSpecs(securityRows))
