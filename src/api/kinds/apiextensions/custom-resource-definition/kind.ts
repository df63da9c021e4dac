// Kubernetes: k8s.io/apiserver/pkg/registry/rest.defaultTableConvertor.ConvertToTable
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition.strategy.*, statusStrategy.*
import { isEqualJson } from '../../../../base/json.ts'
import { columnsOf, nameColumn } from '../../../machinery/columns/cells.ts'
import { replaceFields } from '../../../machinery/fields.ts'
import { goQuote } from '../../../machinery/go-text.ts'
import { keepSpec } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { CustomResourceDefinition } from '../../../machinery/structural/definition.ts'
import { unknownFormats } from '../../../machinery/structural/formats.ts'
import { loadEngines } from '../../../machinery/structural/validator.ts'
import type { Writable } from '../../../machinery/types.ts'
import { validateDefinition, validateDefinitionStatus, validateDefinitionUpdate } from './validation.ts'

export const customResourceDefinitions: Kind<CustomResourceDefinition> = {
  ...resource('apiextensions.CustomResourceDefinition'),
  hasFewEqualParts: true,
  load: loadEngines,
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    generationChanges: (next, current) => !isEqualJson(next.spec, current.spec),
    default(object) {
      const { names, conversion } = object.spec
      const listKind = names.listKind || (names.kind === '' ? undefined : `${names.kind}List`)
      const service = conversion?.webhook?.clientConfig?.service
      if (service !== undefined) service.port ??= 443
      object.spec = replaceFields('apiextensions.CustomResourceDefinitionSpec', object.spec, {
        names: replaceFields('apiextensions.CustomResourceDefinitionNames', names, {
          singular: names.singular || names.kind.toLowerCase() || undefined,
          listKind,
        }),
        conversion: conversion ?? { strategy: 'None' },
      }) as Draft['spec']
    },
    prepareForCreate(object) {
      object.status = emptyStatus()
      addStoredVersion(object)
    },
    prepareForUpdate(next, current) {
      next.status = current.status as NonNullable<Draft['status']>
      addStoredVersion(next)
    },
    prepareForStatusUpdate: keepSpec,
    warnings(next, current) {
      const known = current === undefined ? new Set<string>() : formatsOf(current)
      return [...formatsOf(next)].filter((format) => !known.has(format)).map((format) => `unrecognized format ${goQuote(format)}`)
    },
    metadata: { anyFinalizer: true },
    validate: validateDefinition,
    validateUpdate: validateDefinitionUpdate,
    validateStatusUpdate: validateDefinitionStatus,
  },
  columns: columnsOf([
    nameColumn,
    {
      name: 'Created At',
      type: 'date',
      description: 'When the object was created.',
      priority: 0,
      cell: ({ metadata }) => metadata?.creationTimestamp ?? '',
    },
  ]),
}

type Draft = Writable<CustomResourceDefinition>

function formatsOf({ spec }: CustomResourceDefinition): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { schema } of spec.versions ?? []) if (schema?.openAPIV3Schema !== undefined) unknownFormats(schema.openAPIV3Schema, found)
  return found
}

const emptyStatus = (): NonNullable<Draft['status']> => ({
  conditions: null,
  acceptedNames: { plural: '', kind: '' },
  storedVersions: null,
})

/** The storage version is in status.storedVersions as long as objects may be stored in it. */
function addStoredVersion(object: Draft): void {
  const storage = object.spec.versions?.find((version) => version.storage)?.name
  const stored = object.status?.storedVersions ?? []
  if (storage === undefined || stored.includes(storage)) return
  object.status = { ...(object.status ?? emptyStatus()), storedVersions: [...stored, storage] }
}
