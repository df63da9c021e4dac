// The fields that the proposals add to Kubernetes' types, and that no released Kubernetes has. Those with a number are
// part of a proposal's Go types; the others have none upstream, and travel as JSON and YAML only.
export const extensions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // KEP-5882, KEP-3939's draft, KEP-2804
  'apps.DeploymentSpec': {
    podReplacementPolicy: '*string enum=TerminationComplete|TerminationStarted #10',
    terminatingAsActive: '*bool',
    operationalThreshold: '*IntOrString',
  },
  'apps.ReplicaSetSpec': { terminatingAsActive: '*bool', operationalThreshold: '*IntOrString' },
  'core.ReplicationControllerSpec': { operationalThreshold: '*IntOrString' },
  'apps.StatefulSetSpec': { progressDeadlineSeconds: '*int32', operationalThreshold: '*IntOrString' },
  'apps.DaemonSetSpec': { progressDeadlineSeconds: '*int32', operationalThreshold: '*IntOrString' },
  // As in a Deployment's conditions: when the rollout last progressed.
  'apps.StatefulSetCondition': { lastUpdateTime: '*Time' },
  'apps.DaemonSetCondition': { lastUpdateTime: '*Time' },
  'batch.JobSpec': { terminatingAsActive: '*bool' },
}
