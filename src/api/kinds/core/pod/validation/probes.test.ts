import { describe, expect, it } from 'vitest'
import {
  containerPath as at,
  type ContainerRow,
  context,
  exampleContainer,
  examplePod,
  messagesOf,
  testContainers,
} from '../testing/example-pod.ts'
import { validatePod } from '../validation.ts'

const probe = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }
const probeRows: readonly ContainerRow[] = [
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

describe('validatePod(), probes', () => {
  testContainers(probeRows)

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
})
