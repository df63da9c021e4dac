// Parsed selectors, cached by identity: the same selector is needed whenever a pod or a status changes.
// Ours: a cache of parsed selectors.

import {
  type LabelRequirements,
  type LabelSelectorObject,
  SelectorSyntaxError,
  selectorRequirements,
} from '../../../base/label-selector.ts'
import { getOrAdd } from '../../../base/maps.ts'

const known = new WeakMap<LabelSelectorObject, LabelRequirements>()

/** The same as selectorRequirements. */
export function requirementsOf(selector: LabelSelectorObject | undefined): LabelRequirements | undefined {
  return selector && getOrAdd(known, selector, () => selectorRequirements(selector) ?? [])
}

/** Undefined if the selector is absent or invalid. Validation rejects an invalid one, but it may have been stored by an old API server. */
export function validRequirementsOf(selector: LabelSelectorObject | undefined): LabelRequirements | undefined {
  try {
    return requirementsOf(selector)
  } catch (error) {
    if (error instanceof SelectorSyntaxError) return undefined
    throw error
  }
}
