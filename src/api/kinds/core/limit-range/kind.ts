// Kubernetes: pkg/registry/core/limitrange.limitrangeStrategy.*
// Kubernetes: pkg/apis/core/v1.SetDefaults_LimitRangeItem
import { fillMap, replaceFields } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { roundResources } from '../../../machinery/resource-rounding.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { LimitRange } from '../../../types.ts'
import { validateLimitRange } from './validation.ts'

interface LimitRangeItem {
  type: string
  max?: Record<string, string>
  min?: Record<string, string>
  default?: Record<string, string>
  defaultRequest?: Record<string, string>
  maxLimitRequestRatio?: Record<string, string>
}

export const limitRanges: Kind<LimitRange> = {
  ...resource('core.LimitRange'),
  strategy: {
    createOnUpdate: true,
    default(limitRange) {
      if (!limitRange.spec?.limits) return
      const items = limitRange.spec.limits as LimitRangeItem[]
      limitRange.spec.limits = items.map(defaultLimitRangeItem) as typeof limitRange.spec.limits
    },
    // The only kind that needs no name: the server generates one.
    prepareForCreate({ metadata }) {
      if (metadata && !metadata.name && metadata.uid) metadata.name = metadata.uid
    },
    metadata: { onUpdate: ['as new'] },
    validate: validateLimitRange,
  },
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
