// Kubernetes: pkg/registry/core/secret.strategy.*
// Kubernetes: pkg/printers/internalversion.printSecret
// Kubernetes: pkg/apis/core/v1.SetDefaults_Secret
// Kubernetes: pkg/registry/core/secret.SelectableFields
// Kubernetes: pkg/apis/core/v1.AddFieldLabelConversionsForSecret
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { fillMap, fillObject } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { Secret, Writable } from '../../../types.ts'
import { validateSecret, validateSecretUpdate } from './validation.ts'
import { secretWarnings } from './warnings.ts'

export const secrets: Kind<Secret> = {
  ...resource('core.Secret'),
  strategy: {
    default: defaultSecret,
    validate: validateSecret,
    metadata: { onUpdate: ['changes', 'as new'] },
    validateUpdate: validateSecretUpdate,
    warnings: secretWarnings,
  },
  selectableFields: { type: ({ type }) => type ?? '' },
  columns: columnsOf([
    nameColumn,
    text('Type', 'What kind of secret it is.', ({ type }) => type ?? ''),
    text('Data', 'How many entries it has.', ({ data }) => Object.keys(data ?? {}).length),
    ageColumn,
  ]),
  unknownFieldMessage: unsupportedField,
}

/** The values of `stringData` replace those of `data`. `stringData` itself is never stored. */
function defaultSecret(secret: Writable<Secret>): void {
  const { stringData } = secret
  if (stringData !== undefined) {
    const encoded: Record<string, string> = Object.create(null) as Record<string, string>
    for (const [key, text] of Object.entries(stringData)) encoded[key] = toBase64(text)
    delete secret.stringData
    if (Object.keys(encoded).length > 0) {
      const data = fillMap(encoded, secret.data ?? {})
      delete secret.data
      fillObject('core.Secret', secret, { data })
    }
  }
  fillObject('core.Secret', secret, { type: 'Opaque' })
}

function toBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}
