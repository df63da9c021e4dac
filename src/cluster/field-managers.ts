// Under which names the parts of a cluster own fields (`metadata.managedFields`): those of Kubernetes' processes, which tools know.

/** Parts that are no controllers of kube-controller-manager, or apply their fields under a name of their own there too. */
const managers: Readonly<Record<string, string>> = {
  'default-scheduler': 'kube-scheduler',
  kubelet: 'kubelet',
  'cluster-autoscaler': 'cluster-autoscaler',
  'clusterrole-aggregation-controller': 'clusterrole-aggregation-controller',
  'validatingadmissionpolicy-status': 'validatingadmissionpolicy-status',
  'assumed-secrets': 'rollcall',
  rollcall: 'rollcall',
  'rollcall-pacer': 'rollcall-pacer',
}

/** `name` is that of a controller, a node's or a scheduler's part, as in its events. */
export const fieldManagerOf = (name: string): string => managers[name] ?? 'kube-controller-manager'
