// Valid objects at the limits of the API.
import type { Random } from '../../src/base/random.ts'
import { extremeScript, oneOf, scale, whole } from './extreme-scripts.ts'

export interface ExtremeObject {
  /** Below which it is created. */
  readonly collection: string
  readonly object: { readonly metadata: { readonly name: string }; readonly [field: string]: unknown }
}

const namespace = 'default'
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const maybe = (random: Random, chance: number, fields: () => object): object => (random.next() < chance ? fields() : {})

const quantities = ['0', '1', '1m', '1n', '1Ki', '9223372036854775807', '1e18', '0.000000001', '999999999Gi', '1E', '5', '100m']
const seconds = [1, 2, 30, 3600, 2_147_483_647]
const images = [
  'nginx',
  'busybox',
  'registry.invalid/x',
  'redis:missing',
  `${'a'.repeat(200)}/${'b'.repeat(200)}`,
  `${'-'.repeat(3000)}`,
  'agnhost:2',
]

function exec(random: Random): object {
  const command = random.next() < 0.05 ? ['sh', '-c', extremeScript(random)] : oneOf(random, [['true'], ['cat', '/none'], ['unknown']])
  return { exec: { command } }
}

const probe = (random: Random) => ({
  ...oneOf(random, [
    exec(random),
    { tcpSocket: { port: 80 } },
    { httpGet: { path: `/${'a'.repeat(scale(random, 5000))}`, port: 65_535 } },
    { grpc: { port: 1 } },
  ]),
  initialDelaySeconds: oneOf(random, [0, ...seconds]),
  periodSeconds: oneOf(random, seconds),
  timeoutSeconds: oneOf(random, seconds),
  failureThreshold: oneOf(random, seconds),
})

function environment(random: Random): object[] {
  const name = (at: number) => `V${at}`
  return oneOf<() => object[]>(random, [
    () => [],
    () => [
      { name: name(0), value: 'xxxxxxxxxx' },
      ...many(whole(random, 1, 60), (at) => ({ name: name(at + 1), value: `$(V${at})$(V${at})` })),
    ],
    () => many(scale(random, 1000), (at) => ({ name: name(at), value: '$$($(V1)$(NONE)'.repeat(scale(random, 10)) })),
    () =>
      many(scale(random, 300), (at) => ({
        name: name(at),
        valueFrom: { secretKeyRef: { name: 'large', key: `k${at % 50}`, optional: true } },
      })),
    () =>
      many(scale(random, 500), (at) => ({ name: name(at), valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } })),
    () => [{ name: 'A', value: 'x'.repeat(scale(random, 300_000)) }],
  ])()
}

function container(random: Random, name: string, script: string | undefined): object {
  const image = oneOf(random, images)
  const command =
    script === undefined
      ? oneOf(random, [undefined, ['sleep', 'inf'], ['false'], ['unknown', 'x'.repeat(scale(random, 200_000))]])
      : ['sh', '-c', script]
  const amounts = () => ({ cpu: oneOf(random, ['0', '1m', '1n', '100m']), memory: oneOf(random, ['0', '1', '1Ki', '1M']) })
  return {
    name,
    image: script === undefined ? image : 'busybox',
    ...(command !== undefined && { command }),
    ...maybe(random, 0.5, () => ({ env: environment(random) })),
    ...maybe(random, 0.2, () => ({ envFrom: many(scale(random, 50), () => ({ configMapRef: { name: 'large', optional: true } })) })),
    ...maybe(random, 0.3, () => ({ readinessProbe: probe(random) })),
    ...maybe(random, 0.2, () => ({ livenessProbe: { ...probe(random), successThreshold: 1 } })),
    ...maybe(random, 0.2, () => ({ startupProbe: { ...probe(random), successThreshold: 1 } })),
    ...maybe(random, 0.2, () => ({ lifecycle: { postStart: exec(random), preStop: exec(random) } })),
    ...maybe(random, 0.3, () => ({ resources: { requests: amounts() } })),
    ...maybe(random, 0.2, () => ({
      volumeMounts: many(scale(random, 50), (at) => ({
        name: 'v',
        mountPath: `/m${at}${'/'.repeat(scale(random, 5000))}a`,
        subPathExpr: '$(HOSTNAME)',
      })),
    })),
    terminationMessagePolicy: oneOf(random, ['File', 'FallbackToLogsOnError']),
  }
}

const selectorTerm = (random: Random) => ({
  matchExpressions: many(scale(random, 20), (at) => ({
    key: `k${at}`,
    operator: 'In',
    values: many(1 + scale(random, 20), (value) => `v${value}`),
  })),
})

function podSpec(random: Random, script?: string): object {
  const count = random.next() < 0.1 ? 1 + scale(random, 100) : whole(random, 1, 2)
  return {
    restartPolicy: oneOf(random, ['Always', 'OnFailure', 'Never']),
    terminationGracePeriodSeconds: oneOf(random, [0, 1, 5, 2_147_483_647]),
    containers: many(count, (at) =>
      at < 2 ? container(random, `c${at}`, at === 0 ? script : undefined) : { name: `c${at}`, image: oneOf(random, images) },
    ),
    volumes: [{ name: 'v', ...oneOf(random, [{ emptyDir: {} }, { hostPath: { path: '/x' } }]) }],
    ...maybe(random, 0.2, () => ({
      initContainers: many(scale(random, 20), (at) => ({
        name: `i${at}`,
        image: 'busybox',
        command: ['sh', '-c', at === 0 ? (script ?? 'true') : 'sleep 1'],
      })),
    })),
    ...maybe(random, 0.1, () => ({ activeDeadlineSeconds: oneOf(random, seconds) })),
    ...maybe(random, 0.1, () => ({ tolerations: many(scale(random, 1000), (at) => ({ key: `t${at}`, operator: 'Exists' })) })),
    ...maybe(random, 0.1, () => ({ nodeSelector: Object.fromEntries(many(scale(random, 500), (at) => [`n${at}`, 'x'])) })),
    ...maybe(random, 0.2, () => ({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: many(1 + scale(random, 20), () => selectorTerm(random)) },
        },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: many(scale(random, 20), () => ({
            weight: 100,
            podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: selectorTerm(random) },
          })),
        },
      },
    })),
    ...maybe(random, 0.1, () => ({
      topologySpreadConstraints: many(scale(random, 20), (at) => ({
        maxSkew: oneOf(random, [1, 2_147_483_647]),
        topologyKey: `zone-${at}`,
        whenUnsatisfiable: oneOf(random, ['DoNotSchedule', 'ScheduleAnyway']),
        labelSelector: selectorTerm(random),
      })),
    })),
  }
}

const annotations = (random: Random) =>
  maybe(random, 0.3, () => ({
    annotations: {
      note: 'x'.repeat(scale(random, 200_000)),
      [`rollcall.dev/${oneOf(random, ['start-delay', 'stop-delay', 'ready-delay', 'run-for', 'overrun', 'exit-code', 'fail-probe'])}`]:
        oneOf(random, ['99999999999999h', '0s±0s', '-1s', '1e999', '±', '1s±99999999h', '255@100%', 'all@1s', ','.repeat(9999)]),
    },
  }))

function workload(random: Random, name: string): ExtremeObject {
  const labels = { app: name }
  const template = (restartPolicy: string, script?: string) => ({
    metadata: { labels, ...annotations(random) },
    // Deleted together with their owner.
    spec: {
      ...podSpec(random, script),
      restartPolicy,
      activeDeadlineSeconds: undefined,
      terminationGracePeriodSeconds: whole(random, 0, 2),
    },
  })
  const selector = { matchLabels: labels }
  const replicas = whole(random, 0, 2)
  const big = () => oneOf(random, [0, 1, 2_147_483_647])
  const script = random.next() < 0.05 ? extremeScript(random) : undefined
  const base = { selector, replicas, minReadySeconds: oneOf(random, [0, 1]) }
  const apps = `/apis/apps/v1/namespaces/${namespace}`
  const make = (collection: string, spec: object): ExtremeObject => ({ collection, object: { metadata: { name }, spec } })
  const job = () => ({
    template: template('Never', script),
    completions: oneOf(random, [1, 5, 1_000_000_000]),
    parallelism: whole(random, 0, 2),
    backoffLimit: big(),
    ttlSecondsAfterFinished: big(),
  })
  return oneOf<() => ExtremeObject>(random, [
    () =>
      make(`${apps}/deployments`, {
        ...base,
        template: template('Always', script),
        paused: random.next() < 0.2,
        revisionHistoryLimit: big(),
        strategy: {
          rollingUpdate: {
            maxSurge: oneOf<unknown>(random, [1, '100%', '1000000%', 2_147_483_647]),
            maxUnavailable: oneOf<unknown>(random, [1, '100%']),
          },
        },
      }),
    () => make(`${apps}/replicasets`, { ...base, template: template('Always', script) }),
    () =>
      make(`${apps}/statefulsets`, {
        ...base,
        template: template('Always', script),
        serviceName: 's',
        podManagementPolicy: oneOf(random, ['Parallel', 'OrderedReady']),
        ordinals: { start: oneOf(random, [0, 5, 2_147_483_000]) },
      }),
    () => {
      const { spec, ...rest } = template('Always', script)
      return make(`${apps}/daemonsets`, {
        selector,
        template: { ...rest, spec: { ...spec, nodeSelector: { 'kubernetes.io/hostname': 'node-2' } } },
      })
    },
    () => make(`/apis/batch/v1/namespaces/${namespace}/jobs`, job()),
    () =>
      make(`/apis/batch/v1/namespaces/${namespace}/cronjobs`, {
        schedule: oneOf(random, ['* * * * *', '*/59 23 31 12 0-6', '0-59/1,1-2 * 29 2 *', '@hourly', '0 0 30 2 *']).replace(
          '@every 1s',
          '@hourly',
        ),
        timeZone: oneOf(random, ['Etc/UTC', 'Pacific/Apia', 'America/Sao_Paulo']),
        startingDeadlineSeconds: big(),
        jobTemplate: { spec: { ...job(), completions: 1 } },
      }),
  ])()
}

function other(random: Random, name: string): ExtremeObject {
  const core = `/api/v1/namespaces/${namespace}`
  return oneOf<() => ExtremeObject>(random, [
    () => ({
      collection: `${core}/configmaps`,
      object: {
        metadata: { name, ...annotations(random) },
        data: { [`k${'k'.repeat(scale(random, 200))}`]: 'x'.repeat(scale(random, 200_000)) },
      },
    }),
    () => ({
      collection: `${core}/services`,
      object: {
        metadata: { name },
        spec: { ports: many(1 + scale(random, 200), (at) => ({ name: `p${at}`, port: at + 1 })), selector: { app: name } },
      },
    }),
    () => ({
      collection: `${core}/resourcequotas`,
      object: {
        metadata: { name },
        spec: { hard: Object.fromEntries(many(1 + scale(random, 50), (at) => [`requests.x.io/r${at}`, oneOf(random, quantities)])) },
      },
    }),
    () => ({
      collection: `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`,
      object: {
        metadata: { name },
        spec: {
          minAvailable: oneOf<unknown>(random, [0, 2_147_483_647, '100%', '1000000%'].slice(0, 3)),
          selector: { matchLabels: { app: name } },
        },
      },
    }),
    () => ({
      collection: `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
      object: { metadata: { name }, spec: { holderIdentity: 'x'.repeat(scale(random, 10_000)), leaseDurationSeconds: 2_147_483_647 } },
    }),
    () => ({
      collection: '/api/v1/nodes',
      object: {
        metadata: {
          name,
          annotations: { 'kwok.x-k8s.io/node': 'fake' },
          labels: Object.fromEntries(many(scale(random, 500), (at) => [`l${at}`, 'x'])),
        },
        spec: {
          taints: [{ key: 'fuzz', effect: 'NoSchedule' }, ...many(scale(random, 500), (at) => ({ key: `t${at}`, effect: 'NoExecute' }))],
        },
        status: { capacity: { cpu: oneOf(random, quantities), memory: oneOf(random, quantities), pods: '110' } },
      },
    }),
  ])()
}

export function extremePod(random: Random, name: string, script?: string): ExtremeObject {
  const metadata = { name, labels: { fuzz: 'pod' }, ...annotations(random) }
  const spec = podSpec(random, script)
  return { collection: `/api/v1/namespaces/${namespace}/pods`, object: { metadata, spec } }
}

export function extremeObject(random: Random, name: string): ExtremeObject {
  const chance = random.next()
  if (chance < 0.2) return extremePod(random, name)
  return chance < 0.4 ? workload(random, name) : other(random, name)
}
