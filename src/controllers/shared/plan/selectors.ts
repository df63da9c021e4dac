// Parsed selectors, cached by identity: the same selector is needed whenever a pod or a status changes.
import { type LabelRequirements, type LabelSelectorObject, selectorRequirements } from '../../../base/label-selector.ts'

const known = new WeakMap<LabelSelectorObject, LabelRequirements>()

/** The same as selectorRequirements. */
export function requirementsOf(selector: LabelSelectorObject | undefined): LabelRequirements | undefined {
  if (selector === undefined) return undefined
  let requirements = known.get(selector)
  if (requirements === undefined) {
    requirements = selectorRequirements(selector) ?? []
    known.set(selector, requirements)
  }
  return requirements
}
