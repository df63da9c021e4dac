// Kubernetes: pkg/registry/flowcontrol/flowschema.flowSchemaStrategy.*, flowSchemaStatusStrategy.*
// Kubernetes: pkg/printers/internalversion.printFlowSchema
// Kubernetes: pkg/apis/flowcontrol/v1.SetDefaults_FlowSchemaSpec
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { FlowSchema } from '../../../types.ts'
import { validateFlowControlStatus } from '../status-validation.ts'
import { validateFlowSchema } from './validation.ts'

export const flowSchemas: Kind<FlowSchema> = {
  ...resource('flowcontrol.FlowSchema'),
  strategy: {
    generation: true,
    default({ spec }) {
      if (spec) spec.matchingPrecedence ||= 1000
    },
    ...ownStatus('flowcontrol.FlowSchemaStatus'),
    ...onlyStatus(['generateName', 'uid', 'creationTimestamp', 'deletionGracePeriodSeconds']),
    metadata: { onUpdate: ['as new'] },
    validate: validateFlowSchema,
    validateStatusUpdate: validateFlowControlStatus,
  },
  columns: columnsOf([
    nameColumn,
    text(
      'PriorityLevel',
      'The PriorityLevelConfiguration of matching requests.',
      ({ spec }) => spec?.priorityLevelConfiguration?.name ?? '',
    ),
    text('MatchingPrecedence', 'The schema with the lowest number wins.', ({ spec }) => spec?.matchingPrecedence ?? 0),
    text('DistinguisherMethod', 'How requests are divided into flows.', ({ spec }) => spec?.distinguisherMethod?.type ?? '<none>'),
    ageColumn,
    text(
      'MissingPL',
      'Whether the PriorityLevelConfiguration does not exist.',
      ({ status }) => status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
    ),
  ]),
}
