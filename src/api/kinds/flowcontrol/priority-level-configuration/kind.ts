// Kubernetes: pkg/registry/flowcontrol/prioritylevelconfiguration.priorityLevelConfigurationStrategy.*
// Kubernetes: pkg/registry/flowcontrol/prioritylevelconfiguration.priorityLevelConfigurationStatusStrategy.*
// Kubernetes: pkg/apis/flowcontrol/v1.SetDefaults_ExemptPriorityLevelConfiguration, SetDefaults_LimitedPriorityLevelConfiguration
// Kubernetes: pkg/apis/flowcontrol/v1.SetDefaults_QueuingConfiguration
// Kubernetes: pkg/printers/internalversion.printPriorityLevelConfiguration
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { fill } from '../../../machinery/fields.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { PriorityLevelConfiguration, Writable } from '../../../types.ts'
import { validateFlowControlStatus } from '../status-validation.ts'
import { validatePriorityLevelConfiguration } from './validation.ts'

export const priorityLevelConfigurations: Kind<PriorityLevelConfiguration> = {
  ...resource('flowcontrol.PriorityLevelConfiguration'),
  strategy: {
    generation: true,
    default: defaultPriorityLevelConfiguration,
    ...ownStatus('flowcontrol.PriorityLevelConfigurationStatus'),
    ...onlyStatus(['uid', 'creationTimestamp', 'deletionGracePeriodSeconds']),
    metadata: { onUpdate: ['as new'] },
    validate: validatePriorityLevelConfiguration,
    validateStatusUpdate: validateFlowControlStatus,
  },
  columns: columnsOf([
    nameColumn,
    text('Type', 'Limited or Exempt.', ({ spec }) => spec?.type ?? ''),
    text('NominalConcurrencyShares', 'Its share of the concurrency.', ({ spec }) =>
      spec?.limited === undefined ? '<none>' : (spec.limited.nominalConcurrencyShares ?? 0),
    ),
    text('Queues', 'How many queues it has.', ({ spec }) => spec?.limited?.limitResponse?.queuing?.queues ?? '<none>'),
    text('HandSize', 'How many queues a flow is spread over.', ({ spec }) => spec?.limited?.limitResponse?.queuing?.handSize ?? '<none>'),
    text(
      'QueueLengthLimit',
      'How many requests wait in one queue.',
      ({ spec }) => spec?.limited?.limitResponse?.queuing?.queueLengthLimit ?? '<none>',
    ),
    ageColumn,
  ]),
}

function defaultPriorityLevelConfiguration({ spec }: Writable<PriorityLevelConfiguration>): void {
  if (spec?.exempt)
    spec.exempt = fill('flowcontrol.ExemptPriorityLevelConfiguration', spec.exempt, { nominalConcurrencyShares: 0, lendablePercent: 0 })
  if (spec?.limited) {
    const queuing = spec.limited.limitResponse?.queuing
    if (queuing) {
      queuing.queues ||= 64
      queuing.handSize ||= 8
      queuing.queueLengthLimit ||= 50
    }
    spec.limited = fill('flowcontrol.LimitedPriorityLevelConfiguration', spec.limited, { nominalConcurrencyShares: 30, lendablePercent: 0 })
  }
}
