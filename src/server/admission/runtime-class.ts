// Gives a new pod the overhead, the node selector and the tolerations of its RuntimeClass.
// Kubernetes: plugin/pkg/admission/runtimeclass.RuntimeClass.Admit, RuntimeClass.Validate, setOverhead, setScheduling, validateOverhead
import { pods, runtimeClasses } from '../../api/kinds.ts'
import { replaceFields } from '../../api/machinery/fields.ts'
import type { Pod, RuntimeClass, Writable } from '../../api/types.ts'
import { isEqualJson } from '../../base/json.ts'
import { parseQuantity } from '../../base/quantity.ts'
import { type AdmissionPlugin, type AdmittedWrite, among, creates, type Refusal } from './plugin.ts'

type PodSpec = NonNullable<Writable<Pod>['spec']>
type Overhead = Readonly<Record<string, unknown>>
type Toleration = NonNullable<NonNullable<Pod['spec']>['tolerations']>[number]

export const runtimeClass: AdmissionPlugin = {
  concerns: among(pods),
  admit(write) {
    const pod = podOf(write)
    if (pod?.spec === undefined) return undefined
    const name = pod.spec.runtimeClassName
    if (!name) return undefined
    const found = classOf(write, name)
    if (found === undefined) return `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`
    return addOverhead(pod, pod.spec, found) ?? addScheduling(pod, pod.spec, found)
  },
  check(write) {
    const spec = podOf(write)?.spec
    if (spec === undefined || Object.keys(spec.overhead ?? {}).length === 0) return undefined
    const found = spec.runtimeClassName ? classOf(write, spec.runtimeClassName) : undefined
    if (found?.overhead !== undefined) return undefined
    return 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'
  },
}

const podOf = (write: AdmittedWrite) => (creates(write) && write.subresource === undefined ? (write.next as Writable<Pod>) : undefined)

const classOf = ({ cluster }: AdmittedWrite, name: string): RuntimeClass | undefined => cluster.get(runtimeClasses, '', name)

function addOverhead(pod: Writable<Pod>, spec: PodSpec, { overhead }: RuntimeClass): Refusal {
  if (overhead === undefined) return undefined
  if (spec.overhead !== undefined && !isSameOverhead(spec.overhead, overhead.podFixed ?? {}))
    return "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
  pod.spec = replaceFields('core.PodSpec', spec, { overhead: overhead.podFixed }) as PodSpec
  return undefined
}

function isSameOverhead(one: Overhead, other: Overhead): boolean {
  const names = Object.keys(one)
  const isSame = (name: string) => parseQuantity(String(one[name]))?.nano === parseQuantity(String(other[name] ?? ''))?.nano
  return names.length === Object.keys(other).length && names.every((name) => Object.hasOwn(other, name) && isSame(name))
}

function addScheduling(pod: Writable<Pod>, { nodeSelector: own = {} }: PodSpec, { scheduling }: RuntimeClass): Refusal {
  if (scheduling === undefined) return undefined
  const { nodeSelector = {}, tolerations = [] } = scheduling
  for (const [key, value] of Object.entries(nodeSelector))
    if (Object.hasOwn(own, key) && own[key] !== value)
      return `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`
  const spec = pod.spec!
  const merged = mergeTolerations([...((spec.tolerations ?? []) as readonly Toleration[]), ...tolerations])
  const selector = { ...own, ...nodeSelector }
  pod.spec = replaceFields('core.PodSpec', spec, {
    nodeSelector: Object.keys(selector).length > 0 ? selector : spec.nodeSelector,
    tolerations: merged.length > 0 ? merged : undefined,
  }) as PodSpec
  return undefined
}

/** Of two tolerations of which one includes the other, only the wider one is kept; of equal ones the first. */
function mergeTolerations(all: readonly Toleration[]): Toleration[] {
  const merged: Toleration[] = []
  for (const [index, one] of all.entries()) {
    if (merged.some((other) => includes(other, one))) continue
    if (!all.slice(index + 1).some((other) => includes(other, one) && !isEqualJson(one, other))) merged.push(one)
  }
  return merged
}

function includes(wide: Toleration, narrow: Toleration): boolean {
  const isExists = wide.operator === 'Exists'
  if ((wide.key ?? '') !== (narrow.key ?? '') && (wide.key || !isExists)) return false
  if (isEqualJson(wide, narrow)) return true
  if (wide.effect && wide.effect !== narrow.effect) return false
  if (wide.effect === 'NoExecute' && wide.tolerationSeconds !== undefined)
    if (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > wide.tolerationSeconds) return false
  const isEqual = (operator: string | undefined) => (operator ?? 'Equal') === 'Equal'
  return isExists || (isEqual(wide.operator) && isEqual(narrow.operator) && (wide.value ?? '') === (narrow.value ?? ''))
}
