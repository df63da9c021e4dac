import { describe, expect, it } from 'vitest'
import {
  containerPath as at,
  type ContainerRow,
  context,
  exampleContainer,
  examplePod,
  labelRule,
  messagesOf,
  testContainers,
} from '../testing/example-pod.ts'
import { validatePod } from '../validation.ts'

const containerRows: readonly ContainerRow[] = [
  ['a good container', {}, []],
  ['no name', { name: '' }, [`${at}.name: Required value`]],
  ['a name in upper case', { name: 'Main' }, [`${at}.name: Invalid value: "Main": ${labelRule}`]],
  ['a name with dots', { name: 'a.b' }, [`${at}.name: Invalid value: "a.b": must not contain dots`]],
  ['no image', { image: '' }, [`${at}.image: Required value`]],
  ['spaces around the image', { image: ' nginx' }, [`${at}.image: Invalid value: " nginx": must not have leading or trailing whitespace`]],
  ['no termination message policy', { terminationMessagePolicy: '' }, [`${at}.terminationMessagePolicy: Required value`]],
  [
    'an unknown termination message policy',
    { terminationMessagePolicy: 'Log' },
    [`${at}.terminationMessagePolicy: Unsupported value: "Log": supported values: "File", "FallbackToLogsOnError"`],
  ],
  ['no pull policy', { imagePullPolicy: '' }, [`${at}.imagePullPolicy: Required value`]],
  [
    'an unknown pull policy',
    { imagePullPolicy: 'Sometimes' },
    [`${at}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`],
  ],
  [
    'a resize policy twice, for something else and with an unknown policy',
    {
      resizePolicy: [
        { resourceName: 'cpu', restartPolicy: 'NotRequired' },
        { resourceName: 'cpu', restartPolicy: '' },
        { resourceName: 'storage', restartPolicy: 'Restart' },
      ],
    },
    [
      `${at}.resizePolicy[1]: Duplicate value: "cpu"`,
      `${at}.resizePolicy: Required value`,
      `${at}.resizePolicy: Unsupported value: "storage": supported values: "cpu", "memory"`,
      `${at}.resizePolicy: Unsupported value: "Restart": supported values: "NotRequired", "RestartContainer"`,
    ],
  ],
  [
    'an unknown restart policy',
    { restartPolicy: 'Sometimes' },
    [`${at}.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"`],
  ],
  [
    'restart rules without a policy',
    { restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }] },
    [`${at}.restartPolicy: Required value: must specify restartPolicy when restart rules are used`],
  ],
  [
    'restart rules that are wrong',
    { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Stop' }, { action: 'Restart', exitCodes: { operator: 'Is', values: [1] } }] },
    [
      `${at}.restartPolicyRules[0].action: Unsupported value: "Stop": supported values: "Restart", "RestartAllContainers"`,
      `${at}.restartPolicyRules[0].exitCodes: Required value: must be specified`,
      `${at}.restartPolicyRules[1].exitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"`,
    ],
  ],
  [
    'too many restart rules and exit codes',
    {
      restartPolicy: 'Never',
      restartPolicyRules: Array.from({ length: 21 }, (_, index) => ({
        action: 'Restart',
        exitCodes: { operator: 'In', values: index === 0 ? Array.from({ length: 256 }, (_, code) => code) : [1] },
      })),
    },
    [
      `${at}.restartPolicyRules: Too many: 21: must have at most 20 items`,
      `${at}.restartPolicyRules[0].exitCodes.values: Too many: 256: must have at most 255 items`,
    ],
  ],
]

const portRows: readonly ContainerRow[] = [
  ['no port number', { ports: [{ containerPort: 0, protocol: 'TCP' }] }, [`${at}.ports[0].containerPort: Required value`]],
  [
    'port numbers out of range',
    { ports: [{ containerPort: 65536, hostPort: -1, protocol: 'TCP' }] },
    [
      `${at}.ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive`,
      `${at}.ports[0].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive`,
    ],
  ],
  ['no protocol', { ports: [{ containerPort: 80 }] }, [`${at}.ports[0].protocol: Required value`]],
  [
    'an unknown protocol',
    { ports: [{ containerPort: 80, protocol: 'tcp' }] },
    [`${at}.ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"`],
  ],
  [
    'a port name with everything wrong',
    { ports: [{ name: '-A--0123456789012', containerPort: 80, protocol: 'TCP' }] },
    [
      `${at}.ports[0].name: Invalid value: "-A--0123456789012": must be no more than 15 characters`,
      `${at}.ports[0].name: Invalid value: "-A--0123456789012": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)`,
      `${at}.ports[0].name: Invalid value: "-A--0123456789012": must contain at least one letter (a-z)`,
      `${at}.ports[0].name: Invalid value: "-A--0123456789012": must not contain consecutive hyphens`,
      `${at}.ports[0].name: Invalid value: "-A--0123456789012": must not begin or end with a hyphen`,
    ],
  ],
  [
    'a port name twice',
    {
      ports: [
        { name: 'http', containerPort: 80, protocol: 'TCP' },
        { name: 'http', containerPort: 81, protocol: 'TCP' },
      ],
    },
    [`${at}.ports[1].name: Duplicate value: "http"`],
  ],
  [
    'a host port twice',
    {
      ports: [
        { containerPort: 80, hostPort: 80, protocol: 'TCP' },
        { containerPort: 81, hostPort: 80, protocol: 'UDP' },
        { containerPort: 82, hostPort: 80, protocol: 'TCP' },
      ],
    },
    [`${at}.ports[2].hostPort: Duplicate value: "TCP//80"`],
  ],
]

describe('validatePod(), containers', () => {
  describe('containers', () => testContainers(containerRows))
  describe('ports', () => testContainers(portRows))

  it('needs at least one', () => {
    const pod = examplePod()
    pod.spec.containers = []
    expect(messagesOf(validatePod(pod, context))).toEqual(['spec.containers: Required value'])
  })

  it('refuses a name twice, also among init containers', () => {
    const pod = examplePod()
    pod.spec.containers = [exampleContainer(), exampleContainer()]
    pod.spec.initContainers = [exampleContainer()]
    expect(messagesOf(validatePod(pod, context))).toEqual([
      'spec.containers[1].name: Duplicate value: "main"',
      'spec.initContainers[0].name: Duplicate value: "main"',
    ])
  })

  it('says index 0 for the host ports of every init container', () => {
    const pod = examplePod()
    const port = { containerPort: 80, hostPort: 80, protocol: 'TCP' }
    pod.spec.initContainers = [exampleContainer({ name: 'a', ports: [port] }), exampleContainer({ name: 'b', ports: [port, port] })]
    expect(messagesOf(validatePod(pod, context))).toEqual(['spec.initContainers[0].ports[1].hostPort: Duplicate value: "TCP//80"'])
  })

  it('refuses a resize that restarts an init container', () => {
    const pod = examplePod()
    pod.spec.initContainers = [exampleContainer({ name: 'a', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] })]
    expect(messagesOf(validatePod(pod, context))).toEqual([
      `spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to 'RestartContainer' for non-sidecar initContainers`,
    ])
  })

  it('refuses a resize that restarts what never restarts', () => {
    const pod = examplePod()
    pod.spec.restartPolicy = 'Never'
    pod.spec.containers = [exampleContainer({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] })]
    expect(messagesOf(validatePod(pod, context))).toEqual([
      `spec.containers[0].resizePolicy: Invalid value: "RestartContainer": must be 'NotRequired' when pod \`restartPolicy\` is 'Never'`,
    ])
  })

  it('knows the stop signals of each operating system', () => {
    const pod = examplePod()
    pod.spec.os = { name: 'windows' }
    pod.spec.containers = [
      exampleContainer({ name: 'a', lifecycle: { stopSignal: 'SIGHUP' } }),
      exampleContainer({ name: 'b', lifecycle: { stopSignal: 'SIGKILL' } }),
    ]
    expect(messagesOf(validatePod(pod, context))).toEqual([
      'spec.containers[0].lifecycle.stopSignal: Unsupported value: "SIGHUP": supported values: "SIGKILL", "SIGTERM"',
    ])
    pod.spec.os = { name: 'linux' }
    pod.spec.containers[1]!.lifecycle = { stopSignal: 'SIGRTMAX-15' }
    const [message] = messagesOf(validatePod(pod, context))
    expect(message).toContain(
      'spec.containers[1].lifecycle.stopSignal: Unsupported value: "SIGRTMAX-15": supported values: "SIGABRT", "SIGALRM"',
    )
    expect(message?.endsWith('"SIGWINCH", "SIGXCPU", "SIGXFSZ"')).toBe(true)
  })

  it('refuses ephemeral containers on create, and what they may not have', () => {
    const pod = examplePod()
    pod.spec.ephemeralContainers = [
      {
        ...exampleContainer({ image: 'a ' }),
        targetContainerName: 'gone',
        ports: [{ containerPort: 1, protocol: 'TCP' }],
        resources: { limits: { cpu: '1' } },
        livenessProbe: {},
        lifecycle: {},
        restartPolicy: 'Always',
        volumeMounts: [{ name: 'data', mountPath: '/a', subPath: 'x', subPathExpr: 'y' }],
      },
    ]
    const here = 'spec.ephemeralContainers[0]'
    const why = 'cannot be set for an Ephemeral Container'
    expect(messagesOf(validatePod(pod, context))).toEqual([
      `${here}.volumeMounts[0].subPathExpr: Invalid value: "y": subPathExpr and subPath are mutually exclusive`,
      `${here}.image: Invalid value: "a ": must not have leading or trailing whitespace`,
      `${here}.name: Duplicate value: "main"`,
      `${here}.targetContainerName: Not found: "gone"`,
      `${here}.ports: Forbidden: ${why}`,
      `${here}.resources: Forbidden: ${why}`,
      `${here}.restartPolicy: Forbidden: ${why}`,
      `${here}.livenessProbe: Forbidden: ${why}`,
      `${here}.lifecycle: Forbidden: ${why}`,
      `${here}.volumeMounts[0].subPath: Forbidden: ${why}`,
      `${here}.volumeMounts[0].subPathExpr: Forbidden: ${why}`,
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
    ])
  })
})
