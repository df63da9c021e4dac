// Kubernetes: pkg/apis/autoscaling/v2.SetDefaults_HorizontalPodAutoscaler, SetDefaults_HorizontalPodAutoscalerBehavior
import { fill, replaceFields } from '../../../machinery/fields.ts'
import type { HorizontalPodAutoscaler, Writable } from '../../../types.ts'

type Spec = NonNullable<Writable<HorizontalPodAutoscaler>['spec']>
type ScalingRules = NonNullable<NonNullable<Spec['behavior']>['scaleUp']>

export const defaultCpuUtilization = 80

export const cpuMetric = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
})

/** The default behavior of scaling up: by 4 pods or 100 % in 15 seconds, whichever is more. */
export const defaultScaleUp = (): ScalingRules => ({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
})
/** The default behavior of scaling down: by any number. The stabilization window is a flag of the controller. */
export const defaultScaleDown = (): ScalingRules => ({
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
})

export function defaultHorizontalPodAutoscaler(autoscaler: Writable<HorizontalPodAutoscaler>): void {
  if (autoscaler.spec === undefined) return
  let spec = fill('autoscaling/v2.HorizontalPodAutoscalerSpec', autoscaler.spec, { minReplicas: 1 })
  if ((spec.metrics ?? []).length === 0)
    spec = replaceFields('autoscaling/v2.HorizontalPodAutoscalerSpec', spec, { metrics: [cpuMetric(defaultCpuUtilization)] })
  if (spec.behavior)
    spec.behavior = replaceFields('autoscaling/v2.HorizontalPodAutoscalerBehavior', spec.behavior, {
      scaleUp: fill('autoscaling/v2.HPAScalingRules', spec.behavior.scaleUp, defaultScaleUp()),
      scaleDown: fill('autoscaling/v2.HPAScalingRules', spec.behavior.scaleDown, defaultScaleDown()),
    })
  autoscaler.spec = spec
}
