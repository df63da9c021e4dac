// The fields that the proposals add to Kubernetes' types: no released Kubernetes has them. They follow Kubernetes' own fields. A field without a
// number exists in JSON and YAML only.
// Ours: the fields that the proposals add.

/** A line for each field, as in ../generated/kubernetes.ts. */
export const proposedFields: Readonly<Record<string, string>> = {
  'apps.DaemonSetCondition': `lastUpdateTime *Time`,
  'apps.DaemonSetSpec': `progressDeadlineSeconds *int32
operationalThreshold *IntOrString`,
  'apps.DeploymentSpec': `podReplacementPolicy *string enum=TerminationComplete|TerminationStarted goType=v1.DeploymentPodReplacementPolicy #10
terminatingAsActive *bool
operationalThreshold *IntOrString`,
  'apps.ReplicaSetSpec': `terminatingAsActive *bool
operationalThreshold *IntOrString`,
  'apps.StatefulSetCondition': `lastUpdateTime *Time`,
  'apps.StatefulSetSpec': `progressDeadlineSeconds *int32
operationalThreshold *IntOrString`,
  'batch.JobSpec': `terminatingAsActive *bool`,
  'core.ReplicationControllerSpec': `operationalThreshold *IntOrString`,
}
