// Kubernetes: pkg/printers/internalversion.printHorizontalPodAutoscaler
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { HorizontalPodAutoscaler } from '../../../types.ts'

type Metric = NonNullable<NonNullable<HorizontalPodAutoscaler['spec']>['metrics']>[number]
type MetricStatus = NonNullable<NonNullable<HorizontalPodAutoscaler['status']>['currentMetrics']>[number]

export const horizontalPodAutoscalerColumns = columnsOf<HorizontalPodAutoscaler>([
  nameColumn,
  text('Reference', 'What it scales.', ({ spec }) => `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`),
  text('Targets', 'The current and the wanted value of each metric.', targetsCell),
  text('MinPods', 'The fewest replicas.', ({ spec }) => (spec?.minReplicas === undefined ? '<unset>' : String(spec.minReplicas))),
  text('MaxPods', 'The most replicas.', ({ spec }) => spec?.maxReplicas ?? 0),
  text('Replicas', 'How many replicas there are.', ({ status }) => status?.currentReplicas ?? 0),
  ageColumn,
])

const maxShownMetrics = 2

function targetsCell({ spec, status }: HorizontalPodAutoscaler): string {
  const all = (spec?.metrics ?? []).map((metric, index) => metricCell(metric, status?.currentMetrics?.[index]))
  if (all.length === 0) return '<none>'
  const shown = all.slice(0, maxShownMetrics).join(', ')
  return all.length > maxShownMetrics ? `${shown} + ${all.length - maxShownMetrics} more...` : shown
}

const unknown = '<unknown>'

function metricCell(metric: Metric, status: MetricStatus | undefined): string {
  switch (metric.type) {
    case 'External':
      return valueCell(metric.external?.target, status?.external?.current)
    case 'Object':
      return valueCell(metric.object?.target, status?.object?.current)
    case 'Pods':
      return `${status?.pods?.current?.averageValue ?? unknown}/${metric.pods?.target?.averageValue ?? ''}`
    case 'Resource':
      return resourceCell(metric.resource, status?.resource?.current)
    case 'ContainerResource':
      return resourceCell(metric.containerResource, status?.containerResource?.current)
    default:
      return '<unknown type>'
  }
}

type Target = NonNullable<Metric['external']>['target'] | undefined
type Current = NonNullable<MetricStatus['external']>['current'] | undefined

function valueCell(target: Target, current: Current): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`
  return `${current?.value ?? unknown}/${target?.value ?? ''}`
}

function resourceCell(source: Metric['resource'], current: Current): string {
  const { name = '', target } = source ?? {}
  if (target?.averageValue !== undefined) return `${name}: ${current?.averageValue ?? unknown}/${target.averageValue}`
  const percent = (value: number | undefined, otherwise: string) => (value === undefined ? otherwise : `${value}%`)
  return `${name}: ${percent(current?.averageUtilization, unknown)}/${percent(target?.averageUtilization, '<auto>')}`
}
