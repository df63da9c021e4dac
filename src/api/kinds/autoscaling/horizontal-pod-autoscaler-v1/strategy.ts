import { fill } from '../../../machinery/fields.ts'
import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { HorizontalPodAutoscalerV1 } from '../../../types.ts'
import { defaultCpuUtilization } from '../horizontal-pod-autoscaler/defaults.ts'
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatusUpdate,
  validateHorizontalPodAutoscalerUpdate,
} from '../horizontal-pod-autoscaler/validation.ts'
import { metricsAnnotation, toVersion2 } from './stored-form.ts'

export const horizontalPodAutoscalerV1Strategy: Strategy<HorizontalPodAutoscalerV1> = {
  names: 'dns-subdomain',
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
  validate: (autoscaler) => validateHorizontalPodAutoscaler(toVersion2(autoscaler)),
  validateUpdate: (next, current) => validateHorizontalPodAutoscalerUpdate(toVersion2(next), toVersion2(current)),
  validateStatusUpdate: (next) => validateHorizontalPodAutoscalerStatusUpdate(toVersion2(next)),
}
