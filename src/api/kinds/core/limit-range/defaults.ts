import { fillMap, replaceFields } from '../../../machinery/fields.ts'
import { roundResources } from '../../../machinery/resource-rounding.ts'
import type { LimitRange, Writable } from '../../../types.ts'

interface LimitRangeItem {
  type: string
  max?: Record<string, string>
  min?: Record<string, string>
  default?: Record<string, string>
  defaultRequest?: Record<string, string>
  maxLimitRequestRatio?: Record<string, string>
}

export function defaultLimitRange(limitRange: Writable<LimitRange>): void {
  if (!limitRange.spec?.limits) return
  const items = limitRange.spec.limits as unknown as LimitRangeItem[]
  limitRange.spec.limits = items.map(defaultLimitRangeItem) as unknown as typeof limitRange.spec.limits
}

/** For containers: a limit where only a maximum is given, a request where only a limit or a minimum is. */
function defaultLimitRangeItem(item: LimitRangeItem): LimitRangeItem {
  for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) roundResources(list)
  if (item.type !== 'Container') return item
  const limits = fillMap(item.default, item.max ?? {})
  const requests = fillMap(fillMap(item.defaultRequest, limits), item.min ?? {})
  return replaceFields('core.LimitRangeItem', item, {
    default: Object.keys(limits).length > 0 ? limits : undefined,
    defaultRequest: Object.keys(requests).length > 0 ? requests : undefined,
  })
}
