// Kubernetes: pkg/registry/resource/resourceclaimtemplate.resourceClaimTemplateStrategy.*
// Kubernetes: pkg/printers/internalversion.printResourceClaimTemplate
import { isEqualJson } from '../../../../base/json.ts'
import { nameAndAge } from '../../../machinery/columns/cells.ts'
import { type FieldError, forbidden, invalid, shownAs, showValue } from '../../../machinery/field-error.ts'
import { goJson } from '../../../machinery/go-text.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { immutableMessage, validateAnnotations, validateLabels } from '../../../machinery/validation/metadata.ts'
import { shownStruct } from '../../../machinery/validation/shown-struct.ts'
import type { ResourceClaimTemplate } from '../../../types.ts'
import { defaultClaimSpec } from '../resource-claim/defaults.ts'
import { validateDeviceClaim } from '../resource-claim/validation.ts'

export const resourceClaimTemplates: Kind<ResourceClaimTemplate> = {
  ...resource('resource.ResourceClaimTemplate'),
  strategy: {
    default({ spec }) {
      if (spec?.spec) defaultClaimSpec(spec.spec)
    },
    metadata: { onUpdate: ['changes', 'as new'] },
    validate: validateResourceClaimTemplate,
    validateUpdate: validateResourceClaimTemplateUpdate,
  },
  columns: nameAndAge,
  returnsDeletedObject: true,
}

// Kubernetes: pkg/apis/resource/validation.ValidateResourceClaimTemplate, ValidateResourceClaimTemplateUpdate
function validateResourceClaimTemplate({ spec }: ResourceClaimTemplate): FieldError[] {
  const metadata = spec?.metadata ?? {}
  const { labels, annotations } = metadata
  return [
    ...validateAnnotations(annotations, 'spec.metadata.annotations'),
    ...validateLabels(labels, 'spec.metadata.labels'),
    ...fieldsOfServer.flatMap(([field, shown]) => (isSet(metadata[field]) ? [forbidden(`spec.metadata.${shown}`, 'cannot be set')] : [])),
    ...validateDeviceClaim(spec?.spec?.devices ?? {}, 'spec.spec.devices'),
  ]
}

/** What the metadata of a claim template may not have, with the names in Kubernetes' messages. */
const fieldsOfServer = [
  ['name', 'name'],
  ['generateName', 'generateName'],
  ['namespace', 'namespace'],
  ['selfLink', 'selfLink'],
  ['uid', 'uID'],
  ['resourceVersion', 'resourceVersion'],
  ['generation', 'generation'],
  ['creationTimestamp', 'creationTimestamp'],
  ['deletionTimestamp', 'deletionTimestamp'],
  ['deletionGracePeriodSeconds', 'deletionGracePeriodSeconds'],
  ['ownerReferences', 'ownerReferences'],
  ['finalizers', 'finalizers'],
  ['managedFields', 'managedFields'],
] as const

const isSet = (value: unknown) => Boolean(value) && !(Array.isArray(value) && value.length === 0)

const isEqualTemplate = (one: ResourceClaimTemplate['spec'], other: ResourceClaimTemplate['spec']) =>
  isEqualJson(one?.metadata ?? {}, other?.metadata ?? {}) && isEqualJson(one?.spec, other?.spec)

/** In Go, the metadata of a template is inlined. */
function shownSpec(spec: ResourceClaimTemplate['spec']): unknown {
  const members = Object.entries(spec?.metadata ?? {}).map(([name, value]) => `${goJson(name)}:${goJson(value)},`)
  return shownAs(`{${members.join('')}"Spec":${showValue(shownStruct('resource.ResourceClaimSpec', spec?.spec))}}`)
}

function validateResourceClaimTemplateUpdate(next: ResourceClaimTemplate, current: ResourceClaimTemplate): FieldError[] {
  const errors = validateResourceClaimTemplate(next)
  return isEqualTemplate(next.spec, current.spec) ? errors : [...errors, invalid('spec', shownSpec(next.spec), immutableMessage)]
}
