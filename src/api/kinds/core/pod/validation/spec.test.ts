import { describe, expect, it } from 'vitest'
import {
  exampleContainer,
  examplePod,
  keyRule,
  labelRule,
  messagesOf,
  type SpecRow,
  subdomainRule,
  testSpecs,
  valueRule,
} from '../testing/example-pod.ts'
import { validatePodBinding, validatePodTemplateSpec } from '../validation.ts'

const _idRule = 'must be between 0 and 2147483647, inclusive'
const ipRule = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'

const podRows: readonly SpecRow[] = [
  ['a good pod', {}, []],
  ['no grace period', { terminationGracePeriodSeconds: undefined } as object, ['spec.terminationGracePeriodSeconds: Required value']],
  ['no policies', { restartPolicy: '', dnsPolicy: '' }, ['spec.restartPolicy: Required value', 'spec.dnsPolicy: Required value']],
  [
    'unknown policies',
    { restartPolicy: 'Maybe', dnsPolicy: 'Host', preemptionPolicy: 'Now' },
    [
      'spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never"',
      'spec.dnsPolicy: Unsupported value: "Host": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
      'spec.preemptionPolicy: Unsupported value: "Now": supported values: "PreemptLowerPriority", "Never"',
    ],
  ],
  ['an empty preemption policy', { preemptionPolicy: '' }, ['spec.preemptionPolicy: Required value']],
  [
    'names',
    {
      serviceAccountName: 'A',
      nodeName: 'B',
      activeDeadlineSeconds: 0,
      hostname: 'C',
      subdomain: 'd.e',
      priorityClassName: 'F',
      runtimeClassName: 'G',
    },
    [
      `spec.serviceAccountName: Invalid value: "A": ${subdomainRule}`,
      `spec.nodeName: Invalid value: "B": ${subdomainRule}`,
      'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
      `spec.hostname: Invalid value: "C": ${labelRule}`,
      'spec.subdomain: Invalid value: "d.e": must not contain dots',
      `spec.priorityClassName: Invalid value: "F": ${subdomainRule}`,
      `spec.runtimeClassName: Invalid value: "G": ${subdomainRule}`,
    ],
  ],
  [
    'a name for the host',
    { hostnameOverride: `${'a'.repeat(65)}`, setHostnameAsFQDN: true, hostNetwork: true },
    [
      'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
      'spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
      'spec.hostnameOverride: Too long: may not be more than 64 bytes',
    ],
  ],
  [
    'a node selector',
    { nodeSelector: { 'a b': 'c d' } },
    [`spec.nodeSelector: Invalid value: "a b": ${keyRule}`, `spec.nodeSelector: Invalid value: "c d": ${valueRule}`],
  ],
  [
    'gates',
    { readinessGates: [{ conditionType: 'a b' }], schedulingGates: [{ name: 'a' }, { name: 'a' }, { name: '' }] },
    [
      `spec.readinessGates[0].conditionType: Invalid value: "a b": ${keyRule}`,
      'spec.schedulingGates[1]: Duplicate value: "a"',
      'spec.schedulingGates[2]: Invalid value: "": name part must be non-empty',
      `spec.schedulingGates[2]: Invalid value: "": ${keyRule}`,
    ],
  ],
  [
    'a node before its gates are open',
    { nodeName: 'n', schedulingGates: [{ name: 'a' }] },
    ['spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared'],
  ],
  [
    'ports on the network of the host',
    { hostNetwork: true, containers: [exampleContainer({ ports: [{ containerPort: 80, protocol: 'TCP' }] })] },
    ['spec.containers[0].ports[0].hostPort: Invalid value: 0: must match `containerPort` when `hostNetwork` is true'],
  ],
  [
    'users of their own with the namespaces of the host',
    { hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true },
    [
      'spec.hostNetwork: Forbidden: when `hostUsers` is false',
      'spec.HostPID: Forbidden: when `hostUsers` is false',
      'spec.HostIPC: Forbidden: when `hostUsers` is false',
    ],
  ],
  [
    'host aliases',
    { hostAliases: [{ ip: '1.2.3', hostnames: ['A'] }, { ip: '01.2.3.4' }, { ip: '::ffff:1.2.3.4' }, { ip: 'fe80::1' }] },
    [
      `spec.hostAliases[0].ip: Invalid value: "1.2.3": ${ipRule}`,
      `spec.hostAliases[0].hostnames[0]: Invalid value: "A": ${subdomainRule}`,
      'spec.hostAliases[1].ip: Invalid value: "01.2.3.4": must not have leading 0s',
      'spec.hostAliases[2].ip: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
    ],
  ],
  [
    'a DNS policy that needs servers',
    { dnsPolicy: 'None' },
    ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
  ],
  [
    'a DNS policy that needs one server',
    { dnsPolicy: 'None', dnsConfig: {} },
    ['spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None'],
  ],
  [
    'DNS',
    {
      dnsConfig: {
        nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', 'x'],
        searches: ['.', '_ok.example.com.', 'No'],
        options: [{ value: '1' }],
      },
    },
    [
      'spec.dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.2","1.1.1.3","x"]: must not have more than 3 nameservers',
      `spec.dnsConfig.nameservers[3]: Invalid value: "x": ${ipRule}`,
      "spec.dnsConfig.searches[2]: Invalid value: \"No\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')",
      'spec.dnsConfig.options[0]: Required value: must not be empty',
    ],
  ],
  [
    'tolerations',
    {
      tolerations: [
        { key: 'a b', operator: 'Exists' },
        { operator: 'Equal' },
        { key: 'a', operator: 'Exists', value: 'v', tolerationSeconds: 1, effect: 'NoSchedule' },
        { key: 'a', operator: 'Lt', value: '1' },
        { key: 'a', operator: 'Is' },
        { key: 'a', value: 'x y', effect: 'Never' },
      ],
    },
    [
      `spec.tolerations[0].key: Invalid value: "a b": ${keyRule}`,
      'spec.tolerations[1].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      'spec.tolerations[2].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when `tolerationSeconds` is set',
      'spec.tolerations[2].operator: Invalid value: "v": value must be empty when `operator` is \'Exists\'',
      'spec.tolerations[3].operator: Unsupported value: "Lt": supported values: "Equal", "Exists", "Lt", "Gt"',
      'spec.tolerations[4].operator: Unsupported value: "Is": supported values: "Equal", "Exists"',
      `spec.tolerations[5].operator: Invalid value: "x y": ${valueRule}`,
      'spec.tolerations[5].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  ],
  [
    'spread constraints',
    {
      topologySpreadConstraints: [
        { maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Never', minDomains: 0, nodeAffinityPolicy: 'Maybe' },
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['a'] },
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          matchLabelKeys: ['app'],
          labelSelector: { matchLabels: { app: 'x' }, matchExpressions: [{ key: 'app', operator: 'In', values: ['x'] }] },
        },
      ],
    },
    [
      'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
      'spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
      'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Never": supported values: "DoNotSchedule", "ScheduleAnyway"',
      'spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: must be greater than zero',
      'spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not Never',
      'spec.topologySpreadConstraints[0].nodeAffinityPolicy: Unsupported value: "Maybe": supported values: "Honor", "Ignore"',
      'spec.topologySpreadConstraints[1].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"',
      'spec.topologySpreadConstraints[1].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
      'spec.topologySpreadConstraints[2][0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector',
    ],
  ],
  [
    'resource claims',
    {
      resourceClaims: [
        { name: 'a', resourceClaimName: 'x', resourceClaimTemplateName: 'Y' },
        { name: 'a', resourceClaimName: 'X' },
        { name: '' },
      ],
    },
    [
      'spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":"x","ResourceClaimTemplateName":"Y"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
      `spec.resourceClaims[0].resourceClaimTemplateName: Invalid value: "Y": ${subdomainRule}`,
      'spec.resourceClaims[1].name: Duplicate value: "a"',
      `spec.resourceClaims[1].resourceClaimName: Invalid value: "X": ${subdomainRule}`,
      'spec.resourceClaims[2].name: Required value',
      'spec.resourceClaims[2]: Invalid value: {"Name":"","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    ],
  ],
  [
    'overhead',
    { overhead: { gpu: '-1' } },
    [
      'spec.overhead.limits[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified',
      'spec.overhead.limits[gpu]: Invalid value: "gpu": must be a standard resource for containers',
      'spec.overhead.limits[gpu]: Invalid value: "-1": must be greater than or equal to 0',
    ],
  ],
  [
    'amounts for the pod',
    {
      resources: { requests: { cpu: '1', 'example.com/gpu': '1' }, limits: { cpu: '2', 'example.com/gpu': '1' }, claims: [] },
      containers: [
        exampleContainer({ name: 'a', resources: { requests: { cpu: '800m' }, limits: { cpu: '3' } } }),
        exampleContainer({ name: 'b', resources: { requests: { cpu: '300m' } } }),
      ],
    },
    [
      'spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level',
      'spec.resources.limits[example.com/gpu]: Unsupported value: "example.com/gpu": supported values: "cpu", "hugepages-", "memory"',
      'spec.resources.requests[example.com/gpu]: Unsupported value: "example.com/gpu": supported values: "cpu", "hugepages-", "memory"',
      'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 1100m',
      'spec.resources.containers[0][cpu].limits: Invalid value: "3": must be less than or equal to pod limits of 2',
    ],
  ],
  ['an operating system without a name', { os: { name: '' } }, ['spec.os.name: Required value']],
  ['an unknown operating system', { os: { name: 'plan9' } }, ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"']],
]

describe('validatePod()', () => testSpecs(podRows))

describe('validatePodTemplateSpec()', () => {
  it('says where in the template things are wrong', () => {
    const { spec } = examplePod()
    const metadata = { labels: { 'a b': 'c' }, annotations: { 'd e': 'f', 'controller.kubernetes.io/pod-deletion-cost': 'x' } }
    spec.containers = [exampleContainer({ name: '', image: ' padded images are for pods to refuse ' })]
    spec.ephemeralContainers = [{ ...exampleContainer(), name: 'e' }]
    expect(messagesOf(validatePodTemplateSpec({ metadata, spec }, 'spec.template'))).toEqual([
      `spec.template.labels: Invalid value: "a b": ${keyRule}`,
      `spec.template.annotations: Invalid value: "d e": ${keyRule}`,
      'spec.template.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "x": must be a 32bit integer',
      'spec.template.spec.containers[0].name: Required value',
      'spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template',
    ])
  })

  it('refuses an empty one', () => {
    expect(messagesOf(validatePodTemplateSpec({}, 'template'))).toEqual([
      'template.spec.terminationGracePeriodSeconds: Required value',
      'template.spec.containers: Required value',
      'template.spec.restartPolicy: Required value',
      'template.spec.dnsPolicy: Required value',
    ])
  })

  it('accepts host ports that are filled in later', () => {
    const { spec } = examplePod()
    spec.hostNetwork = true
    spec.containers = [exampleContainer({ ports: [{ containerPort: 80, protocol: 'TCP' }] })]
    expect(messagesOf(validatePodTemplateSpec({ spec }, 'spec.template'))).toEqual([])
  })
})

describe('validatePodBinding()', () => {
  it('requires a node', () => {
    expect(messagesOf(validatePodBinding({ target: { kind: 'Pod', name: '' } }))).toEqual([
      'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
      'target.name: Required value',
    ])
    expect(messagesOf(validatePodBinding({ target: { name: 'n' } }))).toEqual([])
  })
})
