// Which workloads a selector of pods selects. Pure.
import type { KubernetesObject } from '../../api/types.ts'
import { type LabelSelectorObject, type Labels, matchesLabels, selectorRequirements } from '../../base/label-selector.ts'
import { templateOf } from '../rollout/prepare.ts'

/** The labels of the pods of a workload. */
export const templateLabels = (object: KubernetesObject): Labels =>
  (templateOf(object)?.metadata as { readonly labels?: Labels } | undefined)?.labels ?? {}

/** Selectors of stored objects are valid. */
export function matchesSelector(selector: LabelSelectorObject | undefined, labels: Labels): boolean {
  const requirements = selector && selectorRequirements(selector)
  return requirements !== undefined && matchesLabels(requirements, labels)
}
