// PodSecurity: namespaces say by labels which pods they admit.
// Kubernetes: k8s.io/pod-security-admission/admission.Admission.Validate, Admission.ValidateNamespace, Admission.ValidatePod
// Kubernetes: k8s.io/pod-security-admission/admission.Admission.ValidatePodController, Admission.EvaluatePod, isSignificantPodUpdate
import {
  cronJobs,
  daemonSets,
  deployments,
  jobs,
  namespaces,
  pods,
  podTemplates,
  replicaSets,
  replicationControllers,
  statefulSets,
} from '../../../api/kinds.ts'
import type { Kind } from '../../../api/machinery/kind.ts'
import { invalidError } from '../../../api/machinery/status-error.ts'
import type { Container, KubernetesObject, Namespace, ObjectMeta, Pod } from '../../../api/types.ts'
import { isEqualJson } from '../../../base/json.ts'
import { groupBy } from '../../../base/maps.ts'
import { type AdmissionCluster, type AdmissionPlugin, type AdmittedWrite, admittedName, among, type Refusal } from '../plugin.ts'
import type { PodSpec } from './check.ts'
import type { PodSecurityConfiguration } from './configuration.ts'
import { detailText, reasonText, violationsOf } from './evaluate.ts'
import {
  compareLevels,
  isEquivalent,
  isPrivileged,
  isSamePolicy,
  type LevelVersion,
  levelLabel,
  modes,
  type Policy,
  readPolicy,
  showPolicy,
  versionLabel,
} from './policy.ts'

export const podSecurity = (configuration: PodSecurityConfiguration): readonly AdmissionPlugin[] => [
  { concerns: among(namespaces), check: (write) => checkNamespace(write, configuration) },
  { concerns: among(pods), check: (write) => checkPod(write, configuration) },
  ...templates.map(([kind, templateOf]) => ({
    concerns: among(kind),
    check: (write: AdmittedWrite) => checkTemplate(write, configuration, templateOf(write.next as Workload)),
  })),
]

interface Template {
  readonly metadata?: ObjectMeta
  readonly spec?: PodSpec
}
type Workload = KubernetesObject & {
  readonly template?: Template
  readonly spec?: { readonly template?: Template; readonly jobTemplate?: { readonly spec?: { readonly template?: Template } } }
}

const ofSpec = ({ spec }: Workload) => spec?.template

/** The kinds with a pod template, and where they have it. */
const templates: readonly (readonly [Kind, (object: Workload) => Template | undefined])[] = [
  [podTemplates, ({ template }) => template],
  [replicationControllers, ofSpec],
  [replicaSets, ofSpec],
  [deployments, ofSpec],
  [daemonSets, ofSpec],
  [statefulSets, ofSpec],
  [jobs, ofSpec],
  [cronJobs, ({ spec }) => spec?.jobTemplate?.spec?.template],
]

const labelsOf = ({ metadata }: KubernetesObject = {}) => metadata?.labels ?? {}

function checkNamespace(write: AdmittedWrite, { defaults, exemptions }: PodSecurityConfiguration): undefined {
  const { next, current, subresource, kind, cluster, options } = write
  if (subresource !== undefined) return
  const { policy, errors } = readPolicy(labelsOf(next), defaults)
  const before = current && readPolicy(labelsOf(current), defaults)
  if (errors.length > 0 && !isEqualJson(errors, before?.errors)) throw invalidError(kind, admittedName(next), errors)
  const name = next.metadata?.name ?? ''
  if (before !== undefined && !isTightened(policy, before.policy)) return
  if (exemptions.namespaces.includes(name)) {
    const warning = exemptNamespaceWarning(name, labelsOf(next), policy, defaults)
    if (warning !== undefined) options.warn?.(warning)
  } else if (before !== undefined)
    for (const warning of existingPodWarnings(name, policy.enforce, cluster, exemptions.runtimeClasses)) options.warn?.(warning)
}

/** Whether pods that were admitted may violate what the namespace enforces now. */
function isTightened({ enforce }: Policy, { enforce: before }: Policy): boolean {
  if (isSamePolicy(enforce, before) || enforce.level === 'privileged') return false
  return enforce.minor !== before.minor || compareLevels(enforce.level, before.level) > 0
}

/** Subresources that leave the containers of a pod as they are. */
const harmlessSubresources = new Set<string | undefined>(['status', 'binding', 'eviction'])

function checkPod(write: AdmittedWrite, configuration: PodSecurityConfiguration): Refusal {
  const { next, current, subresource } = write
  if (harmlessSubresources.has(subresource)) return undefined
  const policy = policyOf(write, configuration)
  if (policy === undefined || isPrivileged(policy)) return undefined
  const { spec, metadata = {} } = next as Pod
  if (spec === undefined || (current !== undefined && !changesImages(spec, (current as Pod).spec!))) return undefined
  return evaluate(write, configuration, policy, { spec, metadata }, true)
}

/** For a workload there are warnings only: its pods are refused when they are created. */
function checkTemplate(write: AdmittedWrite, configuration: PodSecurityConfiguration, template: Template | undefined): Refusal {
  if (write.subresource !== undefined || template?.spec === undefined) return undefined
  const policy = policyOf(write, configuration)
  return policy && evaluate(write, configuration, policy, template, false)
}

/** Undefined: the namespace or the caller is exempt. */
function policyOf({ namespace, cluster, options }: AdmittedWrite, { defaults, exemptions }: PodSecurityConfiguration): Policy | undefined {
  if (exemptions.namespaces.includes(namespace) || exemptions.usernames.includes(options.caller.name)) return undefined
  return readPolicy(labelsOf(cluster.namespace(namespace) as Namespace | undefined), defaults).policy
}

function evaluate(
  { options }: AdmittedWrite,
  { exemptions }: PodSecurityConfiguration,
  { enforce, warn }: Policy,
  { spec, metadata = {} }: Template,
  isEnforced: boolean,
): Refusal {
  if (spec === undefined || exemptions.runtimeClasses.includes(spec.runtimeClassName ?? '')) return undefined
  const violations = isEnforced ? violationsOf(enforce, spec, metadata) : []
  if (violations.length > 0) return `violates PodSecurity "${showPolicy(enforce)}": ${detailText(violations)}`
  const warnings = options.warn === undefined ? [] : violationsOf(warn, spec, metadata)
  if (warnings.length > 0) options.warn?.(`would violate PodSecurity "${showPolicy(warn)}": ${detailText(warnings)}`)
  return undefined
}

/** Whether an update adds a container or changes an image: nothing else that the checks read can be changed. */
function changesImages(next: PodSpec, current: PodSpec): boolean {
  const isOther = (own: readonly Container[] = [], before: readonly Container[] = []) =>
    own.length !== before.length || own.some(({ image }, at) => image !== before[at]?.image)
  if (isOther(next.containers, current.containers) || isOther(next.initContainers, current.initContainers)) return true
  const before = new Map((current.ephemeralContainers ?? []).map(({ name, image }) => [name, image]))
  return (next.ephemeralContainers ?? []).some(({ name, image }) => before.get(name) !== image)
}

// The warnings when a namespace is labelled: which of its pods violate what it enforces now, and that it is exempt.
// Kubernetes: k8s.io/pod-security-admission/admission.Admission.EvaluatePodsInNamespace, Admission.exemptNamespaceWarning
// Kubernetes: k8s.io/pod-security-admission/admission.decoratePodWarnings, Admission.prioritizePods
const maxPods = 3000

/** As in Kubernetes at most 3,000 pods are checked: here the first by name. */
function existingPodWarnings(
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
function exemptNamespaceWarning(
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
