// The warnings when a namespace is labelled: which of its pods violate what it enforces now, and that it is exempt.
// Kubernetes: k8s.io/pod-security-admission/admission.Admission.EvaluatePodsInNamespace, Admission.exemptNamespaceWarning
// Kubernetes: k8s.io/pod-security-admission/admission.decoratePodWarnings, Admission.prioritizePods
import { pods } from '../../../api/kinds.ts'
import type { Pod } from '../../../api/types.ts'
import { groupBy } from '../../../base/maps.ts'
import type { AdmissionCluster } from '../plugin.ts'
import { reasonText, violationsOf } from './evaluate.ts'
import { isEquivalent, isPrivileged, type LevelVersion, levelLabel, modes, type Policy, showPolicy, versionLabel } from './policy.ts'

const maxPods = 3000

/** As in Kubernetes at most 3,000 pods are checked: here the first by name. */
export function existingPodWarnings(
  namespace: string,
  enforce: LevelVersion,
  cluster: AdmissionCluster,
  exemptClasses: readonly string[],
): readonly string[] {
  const { objects, total } = cluster.first<Pod>(pods, namespace, maxPods)
  const checked = objects.filter(({ spec }) => spec !== undefined && !exemptClasses.includes(spec.runtimeClassName ?? ''))
  const byReason = groupBy(checked, ({ spec, metadata = {} }) => reasonText(violationsOf(enforce, spec!, metadata)))
  byReason.delete('')
  const warnings = [...byReason].map(([reason, violating]) => `${namesText(violating)}: ${reason}`).sort()
  return [
    ...(total > objects.length
      ? [`new PodSecurity enforce level only checked against the first ${objects.length} of ${total} existing pods`]
      : []),
    ...(warnings.length > 0
      ? [`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${showPolicy(enforce)}"`]
      : []),
    ...warnings,
  ]
}

/** `violating` is in the order of names. */
function namesText([first, ...others]: readonly Pod[]): string {
  const name = first?.metadata?.name ?? ''
  return others.length === 0 ? name : `${name} (and ${others.length} other ${others.length === 1 ? 'pod' : 'pods'})`
}

/** Undefined: the labels have no effect that the exemption would take away. */
export function exemptNamespaceWarning(
  name: string,
  labels: Readonly<Record<string, string>>,
  policy: Policy,
  defaults: Policy,
): string | undefined {
  if (isPrivileged(policy) || isEquivalent(policy, defaults)) return undefined
  const given = modes.filter((mode) => {
    const isGiven = labels[levelLabel(mode)] !== undefined || labels[versionLabel(mode)] !== undefined
    return isGiven && policy[mode].level !== 'privileged'
  })
  const shown = given.map((mode) => `${mode}=${showPolicy(policy[mode])}`).join(', ')
  return `namespace "${name}" is exempt from Pod Security, and the policy (${shown}) will be ignored`
}
