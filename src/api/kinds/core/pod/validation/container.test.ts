import { describe, expect, it } from 'vitest'
import {
  context,
  type ExampleContainer,
  exampleContainer,
  examplePod,
  keyRule,
  labelRule,
  messagesOf,
  subdomainRule,
} from '../testing/example-pod.ts'
import { validatePod } from '../validation.ts'

type Row = readonly [name: string, container: Partial<ExampleContainer>, messages: readonly string[]]

const at = 'spec.containers[0]'

const containerRows: readonly Row[] = [
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

const portRows: readonly Row[] = [
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

const envRows: readonly Row[] = [
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

const mountRows: readonly Row[] = [
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

const probe = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }
const probeRows: readonly Row[] = [
  ['a probe without a handler', { livenessProbe: probe }, [`${at}.livenessProbe: Required value: must specify a handler type`]],
  [
    'a probe with two handlers',
    { readinessProbe: { ...probe, exec: { command: ['x'] }, tcpSocket: { port: 80 } } },
    [`${at}.readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type`],
  ],
  [
    'a bad HTTP request',
    {
      startupProbe: {
        ...probe,
        httpGet: { path: '', port: 'not a port', scheme: 'http', httpHeaders: [{ name: 'a b', value: '' }] },
      },
    },
    [
      `${at}.startupProbe.httpGet.path: Required value`,
      `${at}.startupProbe.httpGet.port: Invalid value: "not a port": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)`,
      `${at}.startupProbe.httpGet.scheme: Unsupported value: "http": supported values: "HTTP", "HTTPS"`,
      `${at}.startupProbe.httpGet.httpHeaders: Invalid value: "a b": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')`,
    ],
  ],
  ['a command of nothing', { livenessProbe: { ...probe, exec: {} } }, [`${at}.livenessProbe.exec.command: Required value`]],
  [
    'ports out of range',
    { livenessProbe: { ...probe, tcpSocket: { port: 0 } }, readinessProbe: { ...probe, grpc: { port: 70000, service: '' } } },
    [
      `${at}.livenessProbe.tcpSocket.port: Invalid value: 0: must be between 1 and 65535, inclusive`,
      `${at}.readinessProbe.grpc.port: Invalid value: 70000: must be between 1 and 65535, inclusive`,
    ],
  ],
  [
    'negative numbers',
    {
      livenessProbe: {
        exec: { command: ['x'] },
        initialDelaySeconds: -1,
        timeoutSeconds: -2,
        periodSeconds: -3,
        successThreshold: -4,
        failureThreshold: -5,
        terminationGracePeriodSeconds: 0,
      },
    },
    [
      `${at}.livenessProbe.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0`,
      `${at}.livenessProbe.timeoutSeconds: Invalid value: -2: must be greater than or equal to 0`,
      `${at}.livenessProbe.periodSeconds: Invalid value: -3: must be greater than or equal to 0`,
      `${at}.livenessProbe.successThreshold: Invalid value: -4: must be greater than or equal to 0`,
      `${at}.livenessProbe.failureThreshold: Invalid value: -5: must be greater than or equal to 0`,
      `${at}.livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0`,
      `${at}.livenessProbe.successThreshold: Invalid value: -4: must be 1`,
    ],
  ],
  [
    'a grace period for readiness, two successes for startup',
    {
      readinessProbe: { ...probe, exec: { command: ['x'] }, terminationGracePeriodSeconds: 5 },
      startupProbe: { ...probe, exec: { command: ['x'] }, successThreshold: 2 },
    },
    [
      `${at}.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes`,
      `${at}.startupProbe.successThreshold: Invalid value: 2: must be 1`,
    ],
  ],
  [
    'hooks',
    { lifecycle: { postStart: {}, preStop: { sleep: { seconds: 31 } }, stopSignal: 'SIGTERM' } },
    [
      `${at}.lifecycle.postStart: Required value: must specify a handler type`,
      `${at}.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)`,
      `${at}.lifecycle.stopSignal: Forbidden: may not be set for containers with empty \`spec.os.name\``,
    ],
  ],
]

describe('validatePod(), containers', () => {
  const groups = { containers: containerRows, ports: portRows, env: envRows, mounts: mountRows, probes: probeRows }
  for (const [group, rows] of Object.entries(groups))
    describe(group, () => {
      it.each(rows)('%s', (_name, change, messages) => {
        const pod = examplePod()
        pod.spec.containers = [exampleContainer(change)]
        expect(messagesOf(validatePod(pod, context))).toEqual(messages)
      })
    })

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

  it('gives probes and hooks to sidecars only', () => {
    const pod = examplePod()
    const hooks = { lifecycle: {}, livenessProbe: probe, readinessProbe: probe, startupProbe: probe }
    pod.spec.initContainers = [
      exampleContainer({ name: 'once', ...hooks }),
      exampleContainer({ name: 'sidecar', restartPolicy: 'Always', ...hooks }),
    ]
    const why = 'may not be set for init containers without restartPolicy=Always'
    expect(messagesOf(validatePod(pod, context))).toEqual([
      `spec.initContainers[0].lifecycle: Forbidden: ${why}`,
      `spec.initContainers[0].livenessProbe: Forbidden: ${why}`,
      `spec.initContainers[0].readinessProbe: Forbidden: ${why}`,
      `spec.initContainers[0].startupProbe: Forbidden: ${why}`,
      'spec.initContainers[1].livenessProbe: Required value: must specify a handler type',
      'spec.initContainers[1].readinessProbe: Required value: must specify a handler type',
      'spec.initContainers[1].startupProbe: Required value: must specify a handler type',
    ])
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
