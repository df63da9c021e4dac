import { isEqualJson } from '../../../../base/json.ts'
import { defaultPodTemplateObject } from '../../../defaults/workloads.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import { dropDisabledTemplateFields } from '../../../strategies/disabled-fields.ts'
import type { PodTemplate } from '../../../types.ts'
import { templateWarnings } from '../pod/warnings.ts'
import { validatePodTemplate, validatePodTemplateUpdate } from './validation.ts'

const isTemplateChanged = (next: PodTemplate, current: PodTemplate) => !isEqualJson(next.template, current.template)

export const podTemplateStrategy: Strategy<PodTemplate> = {
  names: 'dns-subdomain',
  generation: true,
  generationChanges: isTemplateChanged,
  default: defaultPodTemplateObject,
  prepareForCreate: (podTemplate) => dropDisabledTemplateFields(podTemplate.template),
  prepareForUpdate: (next, current) => dropDisabledTemplateFields(next.template, current.template),
  validate: validatePodTemplate,
  validateUpdate: validatePodTemplateUpdate,
  warnings: (podTemplate, current) =>
    current === undefined || isTemplateChanged(podTemplate, current) ? templateWarnings('template', podTemplate.template) : [],
}
