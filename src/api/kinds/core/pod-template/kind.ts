// Kubernetes: pkg/printers/internalversion.printPodTemplate
// Kubernetes: pkg/registry/core/podtemplate.podTemplateStrategy.*
import { isEqualJson } from '../../../../base/json.ts'
import { columnsOf, containerColumns, labelsCell, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { FieldError } from '../../../machinery/field-error.ts'
import type { Kind, StrategyContext } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { PodTemplate } from '../../../types.ts'
import { defaultPodTemplate } from '../pod/defaults.ts'
import { dropDisabledTemplateFields } from '../pod/disabled-fields.ts'
import { podValidationOptions } from '../pod/validation/options.ts'
import { validatePodTemplateSpec } from '../pod/validation.ts'
import { templateWarnings } from '../pod/warnings.ts'

export const podTemplates: Kind<PodTemplate> = {
  ...resource('core.PodTemplate'),
  strategy: {
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
  },
  columns: columnsOf([
    nameColumn,
    ...containerColumns<PodTemplate>(({ template }) => template?.spec?.containers, 0),
    text('Pod Labels', 'The labels of the pods that are made from it.', ({ template }) => labelsCell(template?.metadata?.labels)),
  ]),
  returnsDeletedObject: true,
}

function isTemplateChanged(next: PodTemplate, current: PodTemplate): boolean {
  return !isEqualJson(next.template, current.template)
}

// Kubernetes: pkg/apis/core/validation.ValidatePodTemplate, ValidatePodTemplateUpdate
export function validatePodTemplate({ template }: PodTemplate, { gates }: StrategyContext): FieldError[] {
  return validatePodTemplateSpec(template ?? {}, 'template', podValidationOptions(gates))
}

export function validatePodTemplateUpdate(next: PodTemplate, current: PodTemplate, { gates }: StrategyContext): FieldError[] {
  const options = podValidationOptions(gates, current.template)
  return validatePodTemplateSpec(next.template ?? {}, 'template', options)
}
