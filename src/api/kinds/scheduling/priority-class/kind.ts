// Kubernetes: pkg/printers/internalversion.printPriorityClass
// Kubernetes: pkg/registry/scheduling/priorityclass.priorityClassStrategy.*
// Kubernetes: pkg/apis/scheduling/v1.SetDefaults_PriorityClass
import { ageColumn, boolean, columnsOf, integer, nameColumn, text } from '../../../machinery/columns/cells.ts'
import { type FieldError, forbidden, invalid, notSupported, required, typed } from '../../../machinery/field-error.ts'
import { fillObject } from '../../../machinery/fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { immutableMessage } from '../../../machinery/validation/metadata.ts'
import type { PriorityClass } from '../../../types.ts'

export const priorityClasses: Kind<PriorityClass> = {
  ...resource('scheduling.PriorityClass'),
  /** Its generation is always 1. */
  strategy: {
    generation: true,
    generationChanges: () => false,
    default(priorityClass) {
      fillObject('scheduling.PriorityClass', priorityClass, { preemptionPolicy: 'PreemptLowerPriority' })
    },
    validate: validatePriorityClass,
    validateUpdate: validatePriorityClassUpdate,
  },
  columns: columnsOf([
    nameColumn,
    integer('Value', 'The priority: more is more important.', ({ value }) => value ?? 0),
    boolean('Global-Default', 'Whether pods that name no class get this one.', ({ globalDefault }) => globalDefault ?? false),
    ageColumn,
    text('PreemptionPolicy', 'Whether its pods may push others out.', ({ preemptionPolicy }) => preemptionPolicy ?? ''),
  ]),
}

// Kubernetes: pkg/apis/scheduling/validation.ValidatePriorityClass, ValidatePriorityClassUpdate
// Kubernetes: pkg/apis/scheduling/v1.IsKnownSystemPriorityClass
const highestOfUsers = 1_000_000_000
const systemClasses = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
])

export function validatePriorityClass({ metadata, value = 0, globalDefault, preemptionPolicy }: PriorityClass): FieldError[] {
  const errors: FieldError[] = []
  const name = metadata?.name ?? ''
  if (name.startsWith('system-')) {
    const problem = systemProblem(name, value, globalDefault === true)
    if (problem !== undefined)
      errors.push(
        forbidden('metadata.name', `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`),
      )
  } else if (value > highestOfUsers)
    errors.push(forbidden('value', `maximum allowed value of a user defined priority is ${highestOfUsers}`))
  if (preemptionPolicy === '') errors.push(required('preemptionPolicy', ''))
  else if (preemptionPolicy !== undefined && preemptionPolicy !== 'PreemptLowerPriority' && preemptionPolicy !== 'Never')
    errors.push(notSupported('preemptionPolicy', typed(preemptionPolicy), ['PreemptLowerPriority', 'Never']))
  return errors
}

function systemProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  const expected = systemClasses.get(name)
  if (expected === undefined) return `${name} is not a known system priority class`
  if (expected !== value) return `value of ${name} PriorityClass must be ${expected}`
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined
}

export function validatePriorityClassUpdate(next: PriorityClass, current: PriorityClass): FieldError[] {
  const errors: FieldError[] = []
  if ((next.value ?? 0) !== (current.value ?? 0)) errors.push(forbidden('value', 'may not be changed in an update.'))
  if (next.preemptionPolicy !== current.preemptionPolicy)
    errors.push(
      invalid('preemptionPolicy', next.preemptionPolicy === undefined ? undefined : typed(next.preemptionPolicy), immutableMessage),
    )
  return errors
}
