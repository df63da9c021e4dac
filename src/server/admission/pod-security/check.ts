// What the checks of the Pod Security Standards have in common.
// Kubernetes: k8s.io/pod-security-admission/policy.Check, VersionedCheck, visitContainers, joinQuote, pluralize
import type { Container, ObjectMeta, Pod } from '../../../api/types.ts'

export type PodSpec = NonNullable<Pod['spec']>
export type SecurityContext = NonNullable<Container['securityContext']>

/** Why a pod is not allowed: a short reason, and what in the pod is the cause. */
export interface Violation {
  readonly reason: string
  readonly detail: string
}

type CheckPod = (spec: PodSpec, metadata: ObjectMeta) => Violation | undefined

export interface Check {
  readonly id: string
  /** The versions of the check, each from a minor version of Kubernetes on, oldest first. Before the first there is no check. */
  readonly versions: readonly CheckVersion[]
}

interface CheckVersion {
  readonly from: number
  readonly check: CheckPod
  /** The checks of the level baseline that this one includes. */
  readonly overrides?: string
}

/** All containers, in the order of Kubernetes' messages. */
export const containersOf = ({ initContainers = [], containers, ephemeralContainers = [] }: PodSpec): readonly Container[] => [
  ...initContainers,
  ...(containers ?? []),
  ...(ephemeralContainers as readonly Container[]),
]

/** The names of the containers for which the condition holds. */
export const namesOf = (spec: PodSpec, isBad: (container: Container) => boolean): readonly string[] =>
  containersOf(spec)
    .filter(isBad)
    .map(({ name }) => name)

export const plural = (one: string, count: number) => (count === 1 ? one : `${one}s`)
export const quoted = (texts: Iterable<string>) => [...texts].map((text) => `"${text}"`).join(', ')
/** Each text once, in order. */
export const sorted = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort()

/** `container "a"`, `containers "a", "b"`. */
export const containersText = (names: readonly string[]) => `${plural('container', names.length)} ${quoted(names)}`

/** Who sets a value: `pod and container "a"`. Empty: neither. */
export const settersText = (isSetByPod: boolean, names: readonly string[]) =>
  [...(isSetByPod ? ['pod'] : []), ...(names.length > 0 ? [containersText(names)] : [])].join(' and ')

export const securityOf = ({ securityContext }: Container): SecurityContext => securityContext ?? ({} as SecurityContext)

/** Pods in a user namespace of their own may do more from version 1.35 on. */
export const unlessInUserNamespace =
  (check: CheckPod): CheckPod =>
  (spec, metadata) =>
    spec.hostUsers === false ? undefined : check(spec, metadata)

/** Windows has none of these fields; from version 1.25 on its pods need not set them. */
export const unlessOnWindows =
  (check: CheckPod): CheckPod =>
  (spec, metadata) =>
    spec.os?.name === 'windows' ? undefined : check(spec, metadata)
