// The pods that are created, as texts: a client that had to serialise them would measure itself.

/** Of the same length for all numbers. */
export const podName = (prefix: string, index: number): string => `${prefix}-${String(index).padStart(7, '0')}`

const place = '\u0000'

const spec = {
  // Nobody goes by this name: the pods stay where they are, also in a cluster that has nodes.
  schedulerName: 'bench',
  automountServiceAccountToken: false,
  terminationGracePeriodSeconds: 30,
  containers: [
    {
      name: 'web',
      image: 'registry.example.com/shop/web:1.24.3',
      ports: [{ name: 'http', containerPort: 8080 }],
      resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    },
  ],
}

const templateParts = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: place, labels: { app: 'web' } },
  spec,
}).split(JSON.stringify(place).slice(1, -1)) as [string, string]

/** As a user sends it: about 500 characters. */
export const podText = (name: string): string => templateParts[0] + name + templateParts[1]

export const podObject = (name: string) => ({ metadata: { name, labels: { app: 'web' } }, spec })

/** What a kubelet would say, as a merge patch of the status. With it a pod is 3.6 KB long in a list. */
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
