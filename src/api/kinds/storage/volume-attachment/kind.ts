// Kubernetes: pkg/registry/storage/volumeattachment.volumeAttachmentStrategy.*, volumeAttachmentStatusStrategy.*
// Kubernetes: pkg/printers/internalversion.printVolumeAttachment
import { isEqualJson } from '../../../../base/json.ts'
import { ageColumn, boolean, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { changed, type FieldError, forbidden, invalid, required } from '../../../machinery/field-error.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { isDns1123Subdomain } from '../../../machinery/validation/names.ts'
import { validateDeclaredDriverName, validateDriverName } from '../../../machinery/validation/names-in-fields.ts'
import type { VolumeAttachment } from '../../../types.ts'

export const volumeAttachments: Kind<VolumeAttachment> = {
  ...resource('storage.VolumeAttachment'),
  strategy: {
    unconditionalUpdate: false,
    ...ownStatus('storage.VolumeAttachmentStatus'),
    ...onlyStatus(),
    metadata: { onUpdate: ['as new'], onStatusUpdate: ['as new'] },
    validate: validateVolumeAttachment,
    validateUpdate: validateVolumeAttachmentUpdate,
    validateStatusUpdate: validateVolumeAttachmentUpdate,
  },
  columns: columnsOf([
    nameColumn,
    { ...text('Attacher', 'The driver that attaches the volume.', ({ spec }) => spec?.attacher ?? ''), format: 'name' },
    text('PV', 'The volume.', ({ spec }) => spec?.source?.persistentVolumeName ?? ''),
    text('Node', 'The node that it is attached to.', ({ spec }) => spec?.nodeName ?? ''),
    boolean('Attached', 'Whether it is attached.', ({ status }) => status?.attached ?? false),
    ageColumn,
  ]),
  returnsDeletedObject: true,
}

// Kubernetes: pkg/apis/storage/validation.ValidateVolumeAttachment, ValidateVolumeAttachmentUpdate
export function validateVolumeAttachment(attachment: VolumeAttachment): FieldError[] {
  return [...validateDeclaredDriverName(attachment.spec?.attacher ?? '', 'spec.attacher'), ...validateSource(attachment)]
}

function validateSource({ spec }: VolumeAttachment): FieldError[] {
  const errors: FieldError[] = []
  const { inlineVolumeSpec: inline, persistentVolumeName: volume } = spec?.source ?? {}
  const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
  const path = 'spec.source.persistentVolumeName'
  if (inline === undefined && volume === undefined) errors.push(required('spec.source', exactlyOne))
  else if (inline !== undefined && volume !== undefined) errors.push(forbidden('spec.source', exactlyOne))
  else if (inline !== undefined) errors.push(...validateInlineVolume(inline))
  else if (volume === '') errors.push(required(path, 'must specify non empty persistentVolumeName'))
  const node = spec?.nodeName ?? ''
  for (const message of isDns1123Subdomain(node)) errors.push(invalid('spec.nodeName', node, message))
  if (volume !== undefined) for (const message of isDns1123Subdomain(volume)) errors.push(invalid(path, volume, message))
  return errors
}

type InlineVolume = NonNullable<VolumeAttachment['spec']['source']['inlineVolumeSpec']>

/** The rules for a volume of a pod in addition to those for a PersistentVolume. */
function validateInlineVolume(volume: InlineVolume): FieldError[] {
  const path = 'spec.source.inlineVolumeSpec'
  const notInline = 'may not be specified in the context of inline volumes'
  const errors: FieldError[] = []
  if (volume.claimRef !== undefined) errors.push(forbidden(`${path}.claimRef`, notInline))
  if (Object.keys(volume.capacity ?? {}).length > 0) errors.push(forbidden(`${path}.capacity`, notInline))
  if (volume.csi === undefined) errors.push(required(`${path}.csi`, 'has to be specified in the context of inline volumes'))
  if (!volume.accessModes?.length) errors.push(required(`${path}.accessModes`, ''))
  const policy = volume.persistentVolumeReclaimPolicy
  if (policy && policy !== 'Retain')
    errors.push(forbidden(`${path}.persistentVolumeReclaimPolicy`, 'may only be Retain in the context of inline volumes'))
  return errors
}

export function validateVolumeAttachmentUpdate(next: VolumeAttachment, current: VolumeAttachment): FieldError[] {
  // What may not change is not validated by its declared rules.
  const errors = [...validateDriverName(next.spec?.attacher ?? '', 'spec.attacher'), ...validateSource(next)]
  if (!isEqualJson(next.spec, current.spec)) errors.push(changed('spec'))
  return errors
}
