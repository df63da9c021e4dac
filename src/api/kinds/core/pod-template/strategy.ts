// Kubernetes: pkg/registry/core/podtemplate.podTemplateStrategy.*
import { isEqualJson } from '../../../../base/json.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import type { PodTemplate } from '../../../types.ts'
import { defaultPodTemplate } from '../pod/defaults.ts'
import { dropDisabledTemplateFields } from '../pod/disabled-fields.ts'
import { templateWarnings } from '../pod/warnings.ts'
import { validatePodTemplate, validatePodTemplateUpdate } from './validation.ts'

const isTemplateChanged = (next: PodTemplate, current: PodTemplate) => !isEqualJson(next.template, current.template)

export const podTemplateStrategy: Strategy<PodTemplate> = {
  generation: true,
  generationChanges: isTemplateChanged,
  default(podTemplate) {
    podTemplate.template = defaultPodTemplate(podTemplate.template)
  },
  prepareForCreate: (podTemplate) => dropDisabledTemplateFields(podTemplate.template),
  prepareForUpdate: (next, current) => dropDisabledTemplateFields(next.template, current.template),
  validate: validatePodTemplate,
  validateUpdate: validatePodTemplateUpdate,
  warnings: (podTemplate, current) =>
    current === undefined || isTemplateChanged(podTemplate, current) ? templateWarnings('template', podTemplate.template) : [],
}
