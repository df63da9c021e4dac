import type { Kind } from '../../../machinery/kind.ts'
import type { HorizontalPodAutoscalerV1 } from '../../../types.ts'
import { horizontalPodAutoscalerColumns } from '../horizontal-pod-autoscaler/columns.ts'
import { horizontalPodAutoscalers } from '../horizontal-pod-autoscaler/kind.ts'
import { horizontalPodAutoscalerV1Types } from './schema.ts'
import { fromVersion2, toVersion2 } from './stored-form.ts'
import { horizontalPodAutoscalerV1Strategy } from './strategy.ts'

/** The objects of autoscaling/v2, as version 1 shows them. */
export const horizontalPodAutoscalersV1: Kind<HorizontalPodAutoscalerV1> = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  namespaced: true,
  type: 'autoscaling.HorizontalPodAutoscaler',
  types: horizontalPodAutoscalerV1Types,
  strategy: horizontalPodAutoscalerV1Strategy,
  subresources: { status: true },
  columns: {
    definitions: horizontalPodAutoscalerColumns.definitions,
    cells: (autoscaler, nowMs) => horizontalPodAutoscalerColumns.cells(toVersion2(autoscaler), nowMs),
  },
  storedForm: { kind: horizontalPodAutoscalers as unknown as Kind, fromStored: fromVersion2, toStored: toVersion2 },
}
