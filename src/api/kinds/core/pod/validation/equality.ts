// Semantic equality of parts of pods, as in Kubernetes: an absent and an empty list are equal, and so are `1` and `1000m`.
// Kubernetes: pkg/apis/core/helper.Semantic
import { isEqualJson } from '../../../../../base/json.ts'
import { goJson } from '../../../../machinery/go-text.ts'
import { quantityOf } from '../../../../machinery/validation/resources.ts'
import { unifiedDiff } from '../../../../machinery/validation/unified-diff.ts'
import { internalForm } from './internal-form.ts'

/** For values of a struct of the internal types. */
export function isSame(type: string, a: unknown, b: unknown): boolean {
  // Nearly all writes leave the spec unchanged: this detects it without allocating.
  if (isEqualJson(a, b)) return true
  if (!a || !b) return false
  return isSameForm(internalForm(type, a), internalForm(type, b), false)
}

const quantityLists = new Set(['Limits', 'Requests', 'Overhead'])

function isSameForm(a: unknown, b: unknown, areQuantities: boolean): boolean {
  if (a === b) return true
  if (isNothing(a) && isNothing(b)) return true
  if (typeof a === 'string' && typeof b === 'string') return areQuantities && quantityOf(a).nano === quantityOf(b).nano
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one, index) => isSameForm(one, b[index], false))
  const left = a as Readonly<Record<string, unknown>>
  const right = b as Readonly<Record<string, unknown>>
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        isSameForm(left[key], right[key], areQuantities || quantityLists.has(key) || key === 'Divisor' || key === 'SizeLimit'),
    )
  )
}

const isNothing = (value: unknown) => value === null || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)

/** The difference of two structs, as Kubernetes appends it to messages. */
export const diffOf = (type: string, from: unknown, to: unknown): string =>
  unifiedDiff(goJson(internalForm(type, from), ' '), goJson(internalForm(type, to), ' '))
