import type { PodTemplate, Writable } from '../../../types.ts'
import { defaultPodTemplate } from '../pod/defaults.ts'

export function defaultPodTemplateObject(podTemplate: Writable<PodTemplate>): void {
  podTemplate.template = defaultPodTemplate(podTemplate.template)
}
