// A valid object of every stored kind, and its path.

export interface ValidObject {
  /** The path at which it is created and listed. */
  readonly collection: string
  readonly kind: string
  readonly apiVersion: string
  readonly name: string
  readonly namespaced: boolean
  /** The value of its label `app` and of the selectors for it. */
  readonly app: string
  readonly hasStatus: boolean
  readonly hasScale: boolean
  readonly object: { readonly metadata: { readonly name: string }; readonly [field: string]: unknown }
}

export const namespace = 'fuzz'

const podSpec = {
  restartPolicy: 'Always',
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
  volumes: [
    { name: 'v', configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } },
    { name: 'e', emptyDir: { sizeLimit: '1Gi' } },
  ],
  initContainers: [{ name: 'i', image: 'busybox', command: ['true'] }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'z', operator: 'In', values: ['1'] }] }],
      },
    },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'x' } } },
  ],
  containers: [
    {
      name: 'c',
      image: 'nginx:1.25',
      env: [
        { name: 'A', value: 'b' },
        { name: 'F', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
      ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }],
      resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
      volumeMounts: [{ name: 'v', mountPath: '/v' }],
      livenessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 5 },
      lifecycle: { preStop: { exec: { command: ['sleep', '1'] } } },
      securityContext: { runAsUser: 1000, capabilities: { drop: ['ALL'] } },
    },
  ],
}
/** Each object replaces x by its label. */
const selector = { matchLabels: { app: 'x' }, matchExpressions: [{ key: 'app', operator: 'In', values: ['x'] }] }
const template = { metadata: { labels: { app: 'x' }, annotations: { a: 'b' } }, spec: podSpec }

type Traits = { readonly cluster?: true; readonly app?: string; readonly status?: true; readonly scale?: true }

export function sound(apiVersion: string, plural: string, kind: string, fields: object, traits: Traits = {}): ValidObject {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const name = traits.cluster ? `fuzz-${plural}` : 'sound'
  const place = traits.cluster ? {} : { namespace }
  // Each has a label of its own, so that no controller adopts the pods of another.
  const app = traits.app ?? plural
  const metadata = { name, ...place, labels: { app }, annotations: { note: 'x' }, finalizers: [] }
  return {
    collection: traits.cluster ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`,
    kind,
    apiVersion,
    name,
    namespaced: !traits.cluster,
    hasStatus: traits.status ?? false,
    hasScale: traits.scale ?? false,
    app,
    object: { apiVersion, kind, metadata, ...JSON.parse(JSON.stringify(fields).replaceAll('"x"', `"${app}"`)) },
  }
}

export const validObjects: readonly ValidObject[] = [
  sound('v1', 'namespaces', 'Namespace', {}, { cluster: true, status: true }),
  sound('v1', 'pods', 'Pod', { spec: podSpec }, { status: true }),
  sound('v1', 'nodes', 'Node', { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }, { cluster: true, status: true }),
  sound('v1', 'configmaps', 'ConfigMap', { data: { a: 'b' }, binaryData: { c: 'AAEC' } }),
  sound('v1', 'secrets', 'Secret', { type: 'Opaque', data: { a: 'Yg==' } }),
  sound(
    'v1',
    'services',
    'Service',
    { spec: { selector: { app: 'x' }, ports: [{ name: 'h', port: 80, targetPort: 'http' }] } },
    { status: true },
  ),
  sound('v1', 'endpoints', 'Endpoints', { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] }),
  sound('v1', 'serviceaccounts', 'ServiceAccount', { automountServiceAccountToken: false }),
  sound(
    'v1',
    'persistentvolumeclaims',
    'PersistentVolumeClaim',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    { status: true },
  ),
  sound(
    'v1',
    'persistentvolumes',
    'PersistentVolume',
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
    { cluster: true, status: true },
  ),
  sound('v1', 'resourcequotas', 'ResourceQuota', { spec: { hard: { 'count/leases.coordination.k8s.io': '1000' } } }, { status: true }),
  sound('v1', 'limitranges', 'LimitRange', { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '10Gi' } }] } }),
  sound('v1', 'events', 'Event', {
    involvedObject: { kind: 'Pod', name: 'sound', namespace },
    reason: 'R',
    message: 'm',
    type: 'Normal',
    count: 1,
  }),
  sound('v1', 'podtemplates', 'PodTemplate', { template }),
  sound(
    'v1',
    'replicationcontrollers',
    'ReplicationController',
    { spec: { replicas: 1, selector: { app: 'x' }, template } },
    { status: true, scale: true },
  ),
  sound(
    'apps/v1',
    'deployments',
    'Deployment',
    {
      spec: {
        replicas: 2,
        paused: true,
        selector,
        template,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
      },
    },
    { status: true, scale: true },
  ),
  sound('apps/v1', 'replicasets', 'ReplicaSet', { spec: { replicas: 1, selector, template } }, { status: true, scale: true }),
  sound(
    'apps/v1',
    'statefulsets',
    'StatefulSet',
    {
      spec: {
        serviceName: 's',
        replicas: 1,
        selector,
        template,
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
      },
    },
    { status: true, scale: true },
  ),
  sound('apps/v1', 'daemonsets', 'DaemonSet', { spec: { selector, template, updateStrategy: { type: 'OnDelete' } } }, { status: true }),
  sound('apps/v1', 'controllerrevisions', 'ControllerRevision', { revision: 1, data: { a: [1, { b: null }] } }),
  sound(
    'batch/v1',
    'jobs',
    'Job',
    {
      spec: {
        completions: 2,
        parallelism: 1,
        completionMode: 'Indexed',
        backoffLimitPerIndex: 1,
        podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }] },
        template: { ...template, spec: { ...podSpec, restartPolicy: 'Never' } },
      },
    },
    { status: true },
  ),
  sound(
    'batch/v1',
    'cronjobs',
    'CronJob',
    {
      spec: {
        schedule: '*/5 * * * *',
        timeZone: 'Etc/UTC',
        jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
      },
    },
    { status: true },
  ),
  sound(
    'policy/v1',
    'poddisruptionbudgets',
    'PodDisruptionBudget',
    { spec: { minAvailable: '50%', selector } },
    { status: true, app: 'pods' },
  ),
  sound('coordination.k8s.io/v1', 'leases', 'Lease', {
    spec: { holderIdentity: 'x', leaseDurationSeconds: 10, renewTime: '2026-01-01T00:00:00.000000Z' },
  }),
  sound('scheduling.k8s.io/v1', 'priorityclasses', 'PriorityClass', { value: 10 }, { cluster: true }),
  sound('discovery.k8s.io/v1', 'endpointslices', 'EndpointSlice', {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'] }],
    ports: [{ port: 80 }],
  }),
  sound('storage.k8s.io/v1', 'storageclasses', 'StorageClass', { provisioner: 'example.com/x' }, { cluster: true }),
]
