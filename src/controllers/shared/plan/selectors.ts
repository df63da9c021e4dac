// Parsed selectors, cached by identity: the same selector is needed whenever a pod or a status changes.

import { type LabelRequirements, type LabelSelectorObject, selectorRequirements } from '../../../base/label-selector.ts'
import { getOrAdd } from '../../../base/maps.ts'

const known = new WeakMap<LabelSelectorObject, LabelRequirements>()

/** The same as selectorRequirements. */
export function requirementsOf(selector: LabelSelectorObject | undefined): LabelRequirements | undefined {
  return selector && getOrAdd(known, selector, () => selectorRequirements(selector) ?? [])
}
