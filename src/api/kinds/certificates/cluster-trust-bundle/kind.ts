// Kubernetes: pkg/registry/certificates/clustertrustbundle.strategy.*
// Kubernetes: pkg/registry/certificates/clustertrustbundle/storage.getAttrs
// Kubernetes: pkg/printers/internalversion.printClusterTrustBundle
// Kubernetes: pkg/apis/certificates/v1.addConversionFuncs
import { columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { type FieldError, invalid, tooLong } from '../../../machinery/field-error.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import { isDns1123Subdomain } from '../../../machinery/validation/names.ts'
import { validateSignerName } from '../../../machinery/validation/names-in-fields.ts'
import type { ClusterTrustBundle } from '../../../types.ts'
import { trustBundleProblems } from './trust-anchors.ts'

export const clusterTrustBundles: Kind<ClusterTrustBundle> = {
  ...resource('certificates.ClusterTrustBundle'),
  strategy: {
    names: 'any',
    unconditionalUpdate: false,
    metadata: { onUpdate: ['as new', 'changes'] },
    validate: (bundle) => validateBundle(bundle, true),
    validateUpdate: (next, current) => [
      ...validateBundle(next, next.spec.trustBundle !== current.spec.trustBundle),
      ...((next.spec.signerName ?? '') === (current.spec.signerName ?? '')
        ? []
        : [invalid('spec.signerName', next.spec.signerName ?? '', immutableMessage)]),
    ],
  },
  selectableFields: { 'spec.signerName': ({ spec }) => spec.signerName ?? '' },
  unknownFieldMessage: unsupportedField,
  columns: columnsOf([
    nameColumn,
    text('SignerName', 'The signer whose certificates these are.', ({ spec }) => spec.signerName || '<none>'),
  ]),
}

const maxBytes = 1024 * 1024

// Kubernetes: pkg/apis/certificates/validation.ValidateClusterTrustBundle, ValidateClusterTrustBundleUpdate
function validateBundle({ metadata, spec }: ClusterTrustBundle, isNewText: boolean): FieldError[] {
  const { signerName = '', trustBundle = '' } = spec
  const name = metadata?.name ?? ''
  const errors = nameProblems(name, signerName).map((message) => invalid('metadata.name', name, message))
  if (signerName !== '') errors.push(...validateSignerName(signerName, 'spec.signerName'))
  if (!isNewText) return errors
  if (new TextEncoder().encode(trustBundle).length > maxBytes) return [...errors, tooLong('spec.trustBundle', maxBytes)]
  return [...errors, ...trustBundleProblems(trustBundle).map((problem) => invalid('spec.trustBundle', '<value omitted>', problem))]
}

// Kubernetes: pkg/apis/core/validation.ValidateClusterTrustBundleName
function nameProblems(name: string, signerName: string): readonly string[] {
  if (signerName === '')
    return name.includes(':') ? ['ClusterTrustBundle without signer name must not have ":" in its name'] : isDns1123Subdomain(name)
  const prefix = `${signerName.replaceAll('/', ':')}:`
  return name.startsWith(prefix)
    ? isDns1123Subdomain(name.slice(prefix.length))
    : [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`]
}
