// The pods that are created, serialized beforehand: a client that had to serialize them would measure itself.

/** Names have the same length for all numbers. */
export const podName = (prefix: string, index: number): string => `${prefix}-${String(index).padStart(7, '0')}`

const templateCount = 20
const tiers = ['frontend', 'backend', 'batch', 'cache']
const sizes = ['50m', '100m', '250m', '500m', '1']

/** Pods of `templateCount` services that differ in labels, annotations, environment, sizes, ports, volumes and probes. */
const templates = Array.from({ length: templateCount }, (_, at) => {
  const app = `shop-${at}`
  const tier = tiers[at % tiers.length]!
  const port = 8000 + at
  return {
    labels: {
      app,
      tier,
      ...(at % 2 === 0 && { 'app.kubernetes.io/part-of': 'shop', 'app.kubernetes.io/version': `1.${at}.0` }),
      ...(at % 5 === 0 && { team: `team-${at / 5}` }),
    },
    ...(at % 3 === 0 && { annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(port) } }),
    spec: {
      // No scheduler has this name: the pods stay pending, also in a cluster that has nodes.
      schedulerName: 'bench',
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 30 + at,
      containers: [
        {
          name: 'web',
          image: `registry.example.com/shop/${app}:1.${at}.3`,
          ports: [{ name: 'http', containerPort: port }],
          env: Array.from({ length: at }, (_, variable) => ({ name: `SETTING_${variable}`, value: `${app}-${variable}` })),
          resources: {
            requests: { cpu: sizes[at % sizes.length]!, memory: `${64 + 32 * at}Mi` },
            limits: { memory: `${128 + 64 * at}Mi` },
          },
          ...(at % 4 === 0 && { readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 + at } }),
          ...(at % 3 === 1 && { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
        },
        ...(at % 7 === 3 ? [{ name: 'proxy', image: 'registry.example.com/mesh/proxy:2.4.1', args: ['--app', app] }] : []),
      ],
      ...(at % 3 === 1 && { volumes: [{ name: 'data', emptyDir: {} }] }),
    },
  }
})

/** The placeholder of the name in the serialized pods. */
const gap = '\u0000'

const texts = templates.map(
  ({ spec, ...metadata }) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: gap, ...metadata }, spec }).split(
      JSON.stringify(gap).slice(1, -1),
    ) as [string, string],
)

/** As a user sends it: 500 to 1,700 characters. `index` chooses the template. */
export function podText(name: string, index: number): string {
  const [before, after] = texts[index % templateCount]!
  return before + name + after
}

export function podObject(name: string, index: number) {
  const { spec, ...metadata } = templates[index % templateCount]!
  return { metadata: { name, ...metadata }, spec }
}

/** The status that a kubelet would report, as a merge patch. With it a pod takes 3.6 KB in a list. */
export const runningText = JSON.stringify({
  status: {
    phase: 'Running',
    hostIP: '192.168.10.12',
    podIP: '10.244.3.17',
    startTime: '2026-01-02T03:04:05Z',
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
      observedGeneration: 1,
      lastProbeTime: null,
      lastTransitionTime: '2026-01-02T03:04:06Z',
    })),
    containerStatuses: [
      {
        name: 'web',
        state: { running: { startedAt: '2026-01-02T03:04:06Z' } },
        lastState: {},
        ready: true,
        restartCount: 0,
        image: 'registry.example.com/shop/web:1.24.3',
        imageID: `registry.example.com/shop/web@sha256:${'0123456789abcdef'.repeat(4)}`,
        containerID: `containerd://${'fedcba9876543210'.repeat(4)}`,
        started: true,
      },
    ],
  },
})
