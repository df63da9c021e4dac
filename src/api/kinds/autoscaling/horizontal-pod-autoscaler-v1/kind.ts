// Kubernetes: pkg/registry/autoscaling/horizontalpodautoscaler.autoscalerStrategy.*, autoscalerStatusStrategy.*
// Kubernetes: pkg/apis/autoscaling/v1.SetDefaults_HorizontalPodAutoscaler
import { fill } from '../../../machinery/fields.ts'
import { isSpecChanged, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { HorizontalPodAutoscalerV1 } from '../../../types.ts'
import { horizontalPodAutoscalerColumns } from '../horizontal-pod-autoscaler/columns.ts'
import { defaultCpuUtilization } from '../horizontal-pod-autoscaler/defaults.ts'
import { horizontalPodAutoscalers } from '../horizontal-pod-autoscaler/kind.ts'
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatusUpdate,
  validateHorizontalPodAutoscalerUpdate,
} from '../horizontal-pod-autoscaler/validation.ts'
import { fromVersion2, metricsAnnotation, toVersion2 } from './stored-form.ts'

/** The objects of autoscaling/v2, as version 1 shows them. */
export const horizontalPodAutoscalersV1: Kind<HorizontalPodAutoscalerV1> = {
  ...resource('autoscaling.HorizontalPodAutoscaler'),
  strategy: {
    generation: 'HPAGeneration',
    generationChanges: (next, current) => isSpecChanged(toVersion2(next), toVersion2(current)),
    default(autoscaler) {
      if (autoscaler.spec === undefined) return
      const hasMetrics = autoscaler.metadata?.annotations?.[metricsAnnotation] !== undefined
      autoscaler.spec = fill('autoscaling.HorizontalPodAutoscalerSpec', autoscaler.spec, {
        minReplicas: 1,
        ...(!hasMetrics && { targetCPUUtilizationPercentage: defaultCpuUtilization }),
      })
    },
    ...ownStatus('autoscaling.HorizontalPodAutoscalerStatus'),
    // Kubernetes validates its internal type, which has the fields of version 2.
    validate: (autoscaler, context) => validateHorizontalPodAutoscaler(toVersion2(autoscaler), context),
    validateUpdate: (next, current, context) => validateHorizontalPodAutoscalerUpdate(toVersion2(next), toVersion2(current), context),
    validateStatusUpdate: (next) => validateHorizontalPodAutoscalerStatusUpdate(toVersion2(next)),
  },
  columns: {
    definitions: horizontalPodAutoscalerColumns.definitions,
    cells: (autoscaler, nowMs) => horizontalPodAutoscalerColumns.cells(toVersion2(autoscaler), nowMs),
  },
  storedForm: { kind: horizontalPodAutoscalers, fromStored: fromVersion2, toStored: toVersion2 },
}
