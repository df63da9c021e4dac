// The controllers that `rollcall controllers` can run, and their names in Kubernetes.
export const controllerNames = [
  'deployment',
  'replicaset',
  'replicationcontroller',
  'statefulset',
  'daemonset',
  'job',
  'cronjob',
  'ttl-after-finished',
] as const

export type ControllerName = (typeof controllerNames)[number]

/** What kube-controller-manager calls them in `--controllers`. */
export const builtInNames: Readonly<Record<ControllerName, string>> = {
  deployment: 'deployment-controller',
  replicaset: 'replicaset-controller',
  replicationcontroller: 'replicationcontroller-controller',
  statefulset: 'statefulset-controller',
  daemonset: 'daemonset-controller',
  job: 'job-controller',
  cronjob: 'cronjob-controller',
  'ttl-after-finished': 'ttl-after-finished-controller',
}
