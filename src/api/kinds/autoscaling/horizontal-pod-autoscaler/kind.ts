// Kubernetes: pkg/registry/autoscaling/horizontalpodautoscaler.autoscalerStrategy.*, autoscalerStatusStrategy.*
import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import type { HorizontalPodAutoscaler } from '../../../types.ts'
import { horizontalPodAutoscalerColumns } from './columns.ts'
import { defaultHorizontalPodAutoscaler } from './defaults.ts'
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatusUpdate,
  validateHorizontalPodAutoscalerUpdate,
} from './validation.ts'

export const horizontalPodAutoscalers: Kind<HorizontalPodAutoscaler> = {
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  namespaced: true,
  type: 'autoscaling/v2.HorizontalPodAutoscaler',
  strategy: {
    default: defaultHorizontalPodAutoscaler,
    ...ownStatus('autoscaling/v2.HorizontalPodAutoscalerStatus'),
    validate: validateHorizontalPodAutoscaler,
    validateUpdate: validateHorizontalPodAutoscalerUpdate,
    validateStatusUpdate: validateHorizontalPodAutoscalerStatusUpdate,
  },
  subresources: { status: true },
  columns: horizontalPodAutoscalerColumns,
}
