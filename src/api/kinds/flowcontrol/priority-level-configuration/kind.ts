// Kubernetes: pkg/registry/flowcontrol/prioritylevelconfiguration.priorityLevelConfigurationStrategy.*
// Kubernetes: pkg/registry/flowcontrol/prioritylevelconfiguration.priorityLevelConfigurationStatusStrategy.*
// Kubernetes: pkg/apis/flowcontrol/v1.SetDefaults_ExemptPriorityLevelConfiguration, SetDefaults_LimitedPriorityLevelConfiguration
// Kubernetes: pkg/apis/flowcontrol/v1.SetDefaults_QueuingConfiguration
// Kubernetes: pkg/printers/internalversion.printPriorityLevelConfiguration
import { ageColumn, columnsOf, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { type FieldError, forbidden, invalid, notSupported, required, typed } from '../../../machinery/field-error.ts'
import { fill } from '../../../machinery/fields.ts'
import { onlyStatus, ownStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { PriorityLevelConfiguration, Writable } from '../../../types.ts'
import { validateFlowControlStatus } from '../status-validation.ts'

export const priorityLevelConfigurations: Kind<PriorityLevelConfiguration> = {
  ...resource('flowcontrol.PriorityLevelConfiguration'),
  strategy: {
    generation: true,
    default: defaultPriorityLevelConfiguration,
    ...ownStatus('flowcontrol.PriorityLevelConfigurationStatus'),
    ...onlyStatus(['generateName', 'uid', 'creationTimestamp', 'deletionGracePeriodSeconds']),
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

// Kubernetes: pkg/apis/flowcontrol/validation.ValidatePriorityLevelConfiguration, ValidatePriorityLevelConfigurationSpec
// Kubernetes: pkg/apis/flowcontrol/validation.ValidateLimitedPriorityLevelConfiguration, ValidateLimitResponse
// Kubernetes: pkg/apis/flowcontrol/validation.ValidatePriorityLevelQueuingConfiguration
type Spec = NonNullable<PriorityLevelConfiguration['spec']>
type LimitResponse = NonNullable<NonNullable<Spec['limited']>['limitResponse']>

const maxQueues = 10_000_000
const maxHashBits = 60

export function validatePriorityLevelConfiguration({ metadata, spec }: PriorityLevelConfiguration): FieldError[] {
  const errors: FieldError[] = []
  const type = spec?.type ?? ''
  if ((metadata?.name === 'exempt') !== (type === 'Exempt'))
    errors.push(invalid('spec.type', typed(type), "must be 'Exempt' if and only if `name` is 'exempt'"))
  if (type === '') errors.push(required('spec.type', ''))
  else if (type !== 'Exempt' && type !== 'Limited') errors.push(notSupported('spec.type', typed(type), ['Exempt', 'Limited']))
  if (type === 'Exempt') {
    if (spec?.limited !== undefined) errors.push(forbidden('spec.limited', 'must be nil if the type is not Limited'))
    addShareErrors(errors, spec?.exempt ?? {}, 'spec.exempt')
  }
  if (type === 'Limited') {
    if (spec?.exempt !== undefined) errors.push(forbidden('spec.exempt', 'must be nil if the type is Limited'))
    if (spec?.limited === undefined) errors.push(required('spec.limited', 'must not be empty when type is Limited'))
    else addLimitedErrors(errors, spec.limited, 'spec.limited')
  }
  return errors
}

interface Shares {
  readonly nominalConcurrencyShares?: number
  readonly lendablePercent?: number
}

function addShareErrors(
  errors: FieldError[],
  { nominalConcurrencyShares: shares = 0, lendablePercent: percent = 0 }: Shares,
  path: string,
): void {
  if (shares < 0) errors.push(invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer'))
  if (percent < 0 || percent > 100) errors.push(invalid(`${path}.lendablePercent`, percent, 'must be between 0 and 100, inclusive'))
}

function addLimitedErrors(errors: FieldError[], limited: NonNullable<Spec['limited']>, path: string): void {
  addShareErrors(errors, limited, path)
  addResponseErrors(errors, limited.limitResponse ?? ({} as LimitResponse), `${path}.limitResponse`)
  const borrowing = limited.borrowingLimitPercent ?? 0
  if (borrowing < 0) errors.push(invalid(`${path}.borrowingLimitPercent`, borrowing, 'if specified, must be a non-negative integer'))
}

function addResponseErrors(errors: FieldError[], { type = '', queuing }: LimitResponse, path: string): void {
  if (type === '') errors.push(required(`${path}.type`, ''))
  else if (type !== 'Queue' && type !== 'Reject') errors.push(notSupported(`${path}.type`, typed(type), ['Queue', 'Reject']))
  if (type === 'Reject' && queuing !== undefined)
    errors.push(forbidden(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited'))
  if (type !== 'Queue') return
  const at = `${path}.queuing`
  if (queuing === undefined) {
    errors.push(required(at, 'must not be empty if limited.limitResponse.type is Limited'))
    return
  }
  const { queueLengthLimit = 0, queues = 0, handSize = 0 } = queuing
  if (queueLengthLimit <= 0) errors.push(invalid(`${at}.queueLengthLimit`, queueLengthLimit, 'must be positive'))
  if (queues <= 0) errors.push(invalid(`${at}.queues`, queues, 'must be positive'))
  else if (queues > maxQueues) errors.push(invalid(`${at}.queues`, queues, `must not be greater than ${maxQueues}`))
  if (handSize <= 0) errors.push(invalid(`${at}.handSize`, handSize, 'must be positive'))
  else if (handSize > queues) errors.push(invalid(`${at}.handSize`, handSize, `should not be greater than queues (${queues})`))
  else if (Math.ceil(Math.log2(queues) * handSize) > maxHashBits)
    errors.push(
      invalid(
        `${at}.handSize`,
        handSize,
        `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxHashBits}`,
      ),
    )
}
