// The controllers that `rollcall controllers` can run, and their names in Kubernetes.

/** What kube-controller-manager calls them in `--controllers`. */
export const builtInNames = {
  deployment: 'deployment-controller',
  replicaset: 'replicaset-controller',
  replicationcontroller: 'replicationcontroller-controller',
  statefulset: 'statefulset-controller',
  daemonset: 'daemonset-controller',
  job: 'job-controller',
  cronjob: 'cronjob-controller',
  'ttl-after-finished': 'ttl-after-finished-controller',
} as const

export type ControllerName = keyof typeof builtInNames

export const controllerNames = Object.keys(builtInNames) as readonly ControllerName[]

/** What their events name as the reporting component. */
export const eventComponentOf = (name: ControllerName): string =>
  name === 'replicationcontroller' ? 'replication-controller' : builtInNames[name]
