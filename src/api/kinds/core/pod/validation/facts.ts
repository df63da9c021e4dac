// What the validation of one part of a pod needs to know about the rest of it.
// Kubernetes: pkg/apis/core/validation.ValidatePodSpec, PodValidationOptions
import type { Container, ObjectMeta, PodSpec, Volume } from '../../../../types.ts'

export type EphemeralContainer = NonNullable<PodSpec['ephemeralContainers']>[number]
export type AnyContainer = Container | EphemeralContainer

/** A pod, or a template as any kind holds it. */
export interface PodTemplateLike {
  readonly metadata?: Pick<ObjectMeta, 'labels' | 'annotations'>
  readonly spec?: PodSpec
}

/** What the containers of a pod share. */
export interface PodFacts {
  readonly spec: PodSpec
  /** Volumes that are valid, by name. */
  readonly volumes: ReadonlyMap<string, Volume>
  readonly claimNames: ReadonlySet<string>
  readonly options: PodValidationOptions
}

export interface PodValidationOptions {
  /** The spec is that of a pod and not of a template. */
  readonly resourceIsPod?: boolean
  readonly allowInvalidPodDeletionCost?: boolean
  readonly allowInvalidLabelValueInSelector?: boolean
  readonly allowInvalidLabelValueInRequiredNodeAffinity?: boolean
  readonly allowIndivisibleHugePagesValues?: boolean
  readonly allowInvalidTopologySpreadLabelSelector?: boolean
  readonly oldPodViolatesMatchLabelKeys?: boolean
  readonly allowNonLocalProjectedTokenPath?: boolean
  readonly allowHostSysctls?: boolean
  readonly allowAnySELinuxChangePolicy?: boolean
  readonly allowTolerationComparison?: boolean
  readonly allowUserNamespacesWithHostNetwork?: boolean
  readonly allowUserNamespacesWithVolumeDevices?: boolean
  readonly allowRestartContainerForInitContainers?: boolean
}
