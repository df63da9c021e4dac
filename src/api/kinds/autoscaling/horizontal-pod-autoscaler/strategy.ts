import { ownStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { HorizontalPodAutoscaler } from '../../../types.ts'
import { defaultHorizontalPodAutoscaler } from './defaults.ts'
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatusUpdate,
  validateHorizontalPodAutoscalerUpdate,
} from './validation.ts'

export const horizontalPodAutoscalerStrategy: Strategy<HorizontalPodAutoscaler> = {
  names: 'dns-subdomain',
  default: defaultHorizontalPodAutoscaler,
  ...ownStatus('autoscaling/v2.HorizontalPodAutoscalerStatus'),
  validate: validateHorizontalPodAutoscaler,
  validateUpdate: validateHorizontalPodAutoscalerUpdate,
  validateStatusUpdate: validateHorizontalPodAutoscalerStatusUpdate,
}
