import type { Kind } from '../../../machinery/kind.ts'
import type { HorizontalPodAutoscaler } from '../../../types.ts'
import { horizontalPodAutoscalerColumns } from './columns.ts'
import { horizontalPodAutoscalerTypes } from './schema.ts'
import { horizontalPodAutoscalerStrategy } from './strategy.ts'

export const horizontalPodAutoscalers: Kind<HorizontalPodAutoscaler> = {
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  singular: 'horizontalpodautoscaler',
  shortNames: ['hpa'],
  categories: ['all'],
  namespaced: true,
  type: 'autoscaling/v2.HorizontalPodAutoscaler',
  types: horizontalPodAutoscalerTypes,
  strategy: horizontalPodAutoscalerStrategy,
  subresources: { status: true },
  columns: horizontalPodAutoscalerColumns,
}
