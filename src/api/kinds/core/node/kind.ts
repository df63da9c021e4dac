// Kubernetes: pkg/registry/core/node.NodeToSelectableFields
// Kubernetes: pkg/apis/core/v1.addConversionFuncs
import type { Kind } from '../../../machinery/kind.ts'
import { unsupportedField } from '../../../machinery/selectable-fields.ts'
import { proxyVerbs } from '../../../machinery/subresource-verbs.ts'
import type { Node } from '../../../types.ts'
import { nodeColumns } from './columns.ts'
import { nodeStrategy } from './strategy.ts'

export const nodes: Kind<Node> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  shortNames: ['no'],
  namespaced: false,
  type: 'core.Node',
  strategy: nodeStrategy,
  subresources: { status: true, others: [{ name: 'proxy', kind: 'NodeProxyOptions', verbs: proxyVerbs }] },
  selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable === true) },
  columns: nodeColumns,
  unknownFieldMessage: unsupportedField,
  hasFewEqualParts: true,
}
