import { isEqualJson } from '../../base/json.ts'
import { defaultPodTemplateObject } from '../defaults/workloads.ts'
import type { Strategy } from '../kind.ts'
import type { PodTemplate } from '../types.ts'
import { validatePodTemplate, validatePodTemplateUpdate } from '../validation/pod-template.ts'
import { dropDisabledTemplateFields } from './disabled-fields.ts'
import { templateWarnings } from './pod-warnings.ts'

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
