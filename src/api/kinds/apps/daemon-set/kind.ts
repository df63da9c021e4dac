// Kubernetes: pkg/printers/internalversion.printDaemonSet
// Kubernetes: pkg/registry/apps/daemonset.daemonSetStrategy.*, daemonSetStatusStrategy.*
// Kubernetes: pkg/apis/apps/v1.SetDefaults_DaemonSet
import { isEqualJson } from '../../../../base/json.ts'
import { sortKeys } from '../../../../base/maps.ts'
import {
  ageColumn,
  columnsOf,
  containerColumns,
  integer,
  labelsCell,
  nameColumn,
  selectorCell,
  selectorColumn,
  text,
} from '../../../machinery/columns/cells.ts'
import { dropConditionFields, dropDeadline } from '../../../machinery/disabled-fields.ts'
import type { FeatureGates } from '../../../machinery/feature-gates.ts'
import { fill, replaceFields } from '../../../machinery/fields.ts'
import { goQuote } from '../../../machinery/go-text.ts'
import { isSpecChanged, keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import { badRequestError } from '../../../machinery/status-error.ts'
import type { DaemonSet, Writable } from '../../../types.ts'
import { defaultPodTemplate } from '../../core/pod/defaults.ts'
import { dropDisabledTemplateFields } from '../../core/pod/disabled-fields.ts'
import { templateWarnings } from '../../core/pod/warnings.ts'
import { validateDaemonSet, validateDaemonSetStatusUpdate, validateDaemonSetUpdate } from './validation.ts'

/** Counts the templates that the set has had. It was a field in earlier versions of the API; clients that read the annotation still get it. */
const templateGeneration = 'deprecated.daemonset.template.generation'

export const daemonSets: Kind<DaemonSet> = {
  ...resource('apps.DaemonSet'),
  strategy: {
    generation: true,
    generationChanges: isSpecChanged,
    defaultSpec: defaultDaemonSet,
    default: writeTemplateGeneration,
    prepareForCreate(daemonSet, { gates }) {
      daemonSet.status = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 }
      setTemplateGeneration(daemonSet, Math.max(1, readTemplateGeneration(daemonSet)))
      dropDisabled(gates, daemonSet)
    },
    prepareForUpdate(next, current, { gates }) {
      keepStatus(next, current)
      dropDisabled(gates, next, current)
      setTemplateGeneration(next, readTemplateGeneration(current) + (isTemplateChanged(next, current) ? 1 : 0))
    },
    prepareForStatusUpdate(next, current) {
      keepSpec(next, current)
      setTemplateGeneration(next, readTemplateGeneration(current))
    },
    validate: validateDaemonSet,
    validateUpdate: validateDaemonSetUpdate,
    validateStatusUpdate: validateDaemonSetStatusUpdate,
    warnings(daemonSet, current) {
      return current === undefined || isTemplateChanged(daemonSet, current)
        ? templateWarnings('spec.template', daemonSet.spec?.template)
        : []
    },
  },
  columns: columnsOf([
    nameColumn,
    integer('Desired', 'How many nodes should run its pod.', ({ status }) => status?.desiredNumberScheduled ?? 0),
    integer('Current', 'How many of these nodes do.', ({ status }) => status?.currentNumberScheduled ?? 0),
    integer('Ready', 'On how many nodes the pod is ready.', ({ status }) => status?.numberReady ?? 0),
    integer('Up-to-date', 'On how many nodes the pod has the newest template.', ({ status }) => status?.updatedNumberScheduled ?? 0),
    integer('Available', 'On how many nodes the pod has been ready for long enough.', ({ status }) => status?.numberAvailable ?? 0),
    text('Node Selector', 'Which nodes it is for.', ({ spec }) => labelsCell(spec?.template?.spec?.nodeSelector)),
    ageColumn,
    ...containerColumns<DaemonSet>(({ spec }) => spec?.template?.spec?.containers),
    selectorColumn(({ spec }) => selectorCell(spec?.selector)),
  ]),
  wholeObjectAnnotations: [templateGeneration],
}

const isTemplateChanged = (next: DaemonSet, current: DaemonSet) => !isEqualJson(next.spec?.template, current.spec?.template)

function readTemplateGeneration({ metadata }: DaemonSet): number {
  const text = metadata?.annotations?.[templateGeneration]
  return text !== undefined && /^[+-]?[0-9]{1,15}$/.test(text) ? Number(text) : 0
}

/** Kubernetes decodes the annotation into a field. */
function templateGenerationProblem({ metadata }: DaemonSet): string | undefined {
  const text = metadata?.annotations?.[templateGeneration]
  if (text === undefined) return undefined
  if (!/^[+-]?[0-9]+$/.test(text)) return `strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`
  const isInRange = BigInt.asIntN(64, BigInt(text.replace('+', ''))) === BigInt(text.replace('+', ''))
  return isInRange ? undefined : `strconv.ParseInt: parsing ${goQuote(text)}: value out of range`
}

/** A DaemonSet that comes without the annotation gets the count 0, which its writer then owns. */
function writeTemplateGeneration(daemonSet: Writable<DaemonSet>): void {
  const problem = templateGenerationProblem(daemonSet)
  if (problem !== undefined) throw badRequestError(`DaemonSet in version "v1" cannot be handled as a DaemonSet: ${problem}`)
  setTemplateGeneration(daemonSet, readTemplateGeneration(daemonSet))
}

function setTemplateGeneration(daemonSet: Writable<DaemonSet>, generation: number): void {
  const annotations = daemonSet.metadata?.annotations
  if (annotations?.[templateGeneration] === String(generation)) return
  daemonSet.metadata = replaceFields('meta.ObjectMeta', daemonSet.metadata, {
    annotations: sortKeys({ ...annotations, [templateGeneration]: String(generation) }),
  })
}

function dropDisabled(gates: FeatureGates, next: Writable<DaemonSet>, current?: DaemonSet): void {
  dropConditionFields(gates, next.spec, current?.spec)
  dropDeadline(gates, next.spec, current?.spec)
  dropDisabledTemplateFields(next.spec?.template, current?.spec?.template)
}

/** The fields of KEP-2804 get no default: a spec that does not use the proposal is stored as Kubernetes stores it. */
function defaultDaemonSet(daemonSet: Writable<DaemonSet>): void {
  const spec = fill('apps.DaemonSetSpec', daemonSet.spec, { template: {}, updateStrategy: {}, revisionHistoryLimit: 10 })
  spec.template = defaultPodTemplate(spec.template)
  spec.updateStrategy = fill('apps.DaemonSetUpdateStrategy', spec.updateStrategy, { type: 'RollingUpdate' })
  if (spec.updateStrategy.type === 'RollingUpdate') {
    spec.updateStrategy = fill('apps.DaemonSetUpdateStrategy', spec.updateStrategy, { rollingUpdate: {} })
    spec.updateStrategy.rollingUpdate = fill('apps.RollingUpdateDaemonSet', spec.updateStrategy.rollingUpdate, {
      maxUnavailable: 1,
      maxSurge: 0,
    })
  } else if (spec.updateStrategy.rollingUpdate !== undefined) {
    // Kubernetes has no default here, but cannot store an absent number.
    spec.updateStrategy.rollingUpdate = fill('apps.RollingUpdateDaemonSet', spec.updateStrategy.rollingUpdate, {
      maxUnavailable: 0,
      maxSurge: 0,
    })
  }
  daemonSet.spec = spec
}
