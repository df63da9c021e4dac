// All controllers, in the order in which they are started: the order is part of a trace.
// Kubernetes: cmd/kube-controller-manager/app.NewControllerDescriptors

import { assumedSecrets } from './assumed-secrets/assumed-secrets.ts'
import { certificateSigning } from './certificate-signing/certificate-signing-controller.ts'
import { attributesClassProtection, claimProtection, volumeProtection } from './claim-protection/claim-protection.ts'
import { clusterRoleController } from './cluster-role/cluster-role-controller.ts'
import type { ControllerDefinition, RemoteControllerDefinition } from './controller-definition.ts'
import { cronJobController } from './cron-job/definition.ts'
import { daemonSetController } from './daemon-set/definition.ts'
import { deploymentController } from './deployment/definition.ts'
import { disruptionController } from './disruption/disruption-controller.ts'
import { endpointSliceController, endpointsController } from './endpoints/endpoints-controller.ts'
import { endpointSliceMirroringController } from './endpoints/mirroring-controller.ts'
import { eventExpiry } from './event-expiry/event-expiry.ts'
import { garbageCollector } from './garbage/garbage-collector.ts'
import { horizontalPodAutoscalerController } from './horizontal-pod-autoscaler/horizontal-pod-autoscaler-controller.ts'
import { jobController, ttlAfterFinishedController } from './job/definition.ts'
import { namespaceContents } from './namespace/namespace-contents.ts'
import { namespaceDeletion } from './namespace/namespace-deletion.ts'
import { nodeLifecycleController } from './node-lifecycle/node-lifecycle-controller.ts'
import { podGarbageCollector } from './pod-gc/pod-garbage-collector.ts'
import { replicaSetController, replicationControllerController } from './replica-set/definition.ts'
import { resourceQuotaController } from './resource-quota/resource-quota-controller.ts'
import { statefulSetController } from './stateful-set/definition.ts'
import { taintEvictionController } from './taint-eviction/taint-eviction-controller.ts'
import { policyStatusController } from './validating-admission-policy/policy-status-controller.ts'

export const controllerDefinitions: readonly ControllerDefinition[] = [
  namespaceContents,
  namespaceDeletion,
  garbageCollector,
  eventExpiry,
  certificateSigning,
  assumedSecrets,
  clusterRoleController,
  policyStatusController,
  deploymentController,
  replicaSetController,
  replicationControllerController,
  disruptionController,
  endpointsController,
  endpointSliceController,
  endpointSliceMirroringController,
  horizontalPodAutoscalerController,
  resourceQuotaController,
  podGarbageCollector,
  jobController,
  cronJobController,
  ttlAfterFinishedController,
  statefulSetController,
  daemonSetController,
  claimProtection,
  volumeProtection,
  attributesClassProtection,
  nodeLifecycleController,
  taintEvictionController,
]

const isRemote = (definition: ControllerDefinition): definition is RemoteControllerDefinition => 'remote' in definition

/** Those that `rollcall controllers` runs too. */
export const remoteControllerDefinitions: readonly RemoteControllerDefinition[] = controllerDefinitions.filter(isRemote)
