import { fill } from '../../../machinery/fields.ts'
import type { ReplicationController, Writable } from '../../../types.ts'
import { defaultPodTemplate } from '../pod/defaults.ts'

export function defaultReplicationController(controller: Writable<ReplicationController>): void {
  const labels = controller.spec?.template?.metadata?.labels
  const selector = controller.spec?.selector
  const named = selector !== undefined && Object.keys(selector).length > 0
  const spec = fill('core.ReplicationControllerSpec', controller.spec, {
    replicas: 1,
    ...(!named && labels !== undefined && { selector: { ...labels } }),
  })
  if (spec.template) spec.template = defaultPodTemplate(spec.template)
  controller.spec = spec
  if (labels !== undefined) controller.metadata = fill('meta.ObjectMeta', controller.metadata, { labels: { ...labels } })
}
