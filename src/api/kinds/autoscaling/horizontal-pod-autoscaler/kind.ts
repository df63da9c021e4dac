// Kubernetes: pkg/registry/autoscaling/horizontalpodautoscaler.autoscalerStrategy.*, autoscalerStatusStrategy.*
import { isSpecChanged, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { HorizontalPodAutoscaler } from '../../../types.ts'
import { horizontalPodAutoscalerColumns } from './columns.ts'
import { defaultHorizontalPodAutoscaler } from './defaults.ts'
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatusUpdate,
  validateHorizontalPodAutoscalerUpdate,
} from './validation.ts'

export const horizontalPodAutoscalers: Kind<HorizontalPodAutoscaler> = {
  ...resource('autoscaling/v2.HorizontalPodAutoscaler'),
  strategy: {
    generation: 'HPAGeneration',
    generationChanges: isSpecChanged,
    default: defaultHorizontalPodAutoscaler,
    ...ownStatus('autoscaling/v2.HorizontalPodAutoscalerStatus'),
    validate: validateHorizontalPodAutoscaler,
    validateUpdate: validateHorizontalPodAutoscalerUpdate,
    validateStatusUpdate: validateHorizontalPodAutoscalerStatusUpdate,
  },
  columns: horizontalPodAutoscalerColumns,
}
