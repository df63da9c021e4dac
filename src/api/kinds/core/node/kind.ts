// Kubernetes: pkg/registry/core/node.NodeToSelectableFields
// Kubernetes: pkg/apis/core/v1.addConversionFuncs
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import type { Node } from '../../../types.ts'
import { nodeColumns } from './columns.ts'
import { nodeStrategy } from './strategy.ts'

export const nodes: Kind<Node> = {
  ...resource('core.Node'),
  strategy: nodeStrategy,
  selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable === true) },
  columns: nodeColumns,
  unknownFieldMessage: unsupportedField,
  hasFewEqualParts: true,
}
