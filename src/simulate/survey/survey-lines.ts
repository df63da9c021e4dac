// A survey as lines for a terminal. Pure.
import { alignRows } from '../../base/aligned-rows.ts'
import { formatLength, formatShare } from '../rollout/lengths.ts'
import { formatMoney } from '../rollout/output/settings-table.ts'
import { type Style, wrap } from '../rollout/output/style.ts'
import { nameOf, type Survey, type SurveyedWorkload } from './survey.ts'

const maxRows = 20
const maxFailed = 5

interface Column {
  readonly title: string
  textOf(workload: SurveyedWorkload): string
}

/** `isWide`: all workloads, with all columns. */
export function surveyLines({ workloads, failed, notes }: Survey, style: Style, isWide: boolean): string[] {
  const over = workloads.filter(({ peakOverCap }) => peakOverCap > 0)
  const adding = workloads.filter(({ nodesAdded = 0 }) => nodesAdded > 0)
  const stuck = workloads.filter((one) => one.stuck !== undefined)
  const knowsNodes = workloads.some(({ nodesAdded }) => nodesAdded !== undefined)
  const summary = [
    `${count(workloads.length, 'workload')}, each restarted on its own, as kubectl rollout restart does it.`,
    `${over.length === 0 ? 'None exceeds its' : `${over.length} of them exceed their`} cap of replicas + maxSurge`,
    ...(knowsNodes ? [`, and ${adding.length === 0 ? 'none makes' : `${adding.length} of them make`} an autoscaler add nodes`] : []),
    '.',
    ...(stuck.length === 0 ? [] : [` ${stuck.length} of them ${stuck.length === 1 ? 'does' : 'do'} not complete.`]),
  ]
  const interesting = workloads.filter((one) => one.peakOverCap > 0 || (one.nodesAdded ?? 0) > 0 || one.stuck !== undefined)
  const shown = isWide ? workloads : interesting.slice(0, maxRows)
  const columns = columnsOf(workloads, isWide)
  const rows = [columns.map(({ title }) => title), ...shown.map((one) => columns.map((column) => column.textOf(one)))]
  const rest = interesting.length - shown.length
  const [worst] = interesting
  return [
    ...wrap(`${summary[0]} ${summary.slice(1).join('')}`, style.width),
    ...(shown.length === 0 ? [] : ['', ...alignRows(rows, { gap: 2, isLeft: (column) => column === 0 })]),
    ...(rest > 0 ? [`and ${rest} more that exceed their cap, add nodes or do not complete (-o wide, or -o json)`] : []),
    ...stuck.slice(0, maxFailed).flatMap((one) => wrap(`${nameOf(one)}: ${one.stuck!.join('; ')}`, style.width, '  ')),
    ...failed.slice(0, maxFailed).flatMap((one) => wrap(`${nameOf(one)} cannot be simulated: ${one.reason}`, style.width, '  ')),
    ...(failed.length > maxFailed ? [`and ${failed.length - maxFailed} more that cannot be simulated (-o json)`] : []),
    '',
    ...wrap(`Assumed: ${notes.join('; ')}.`, style.width),
    ...(worst === undefined
      ? []
      : [
          '',
          'More about the first of them, also with rollcall pacer:',
          `rollcall simulate --from-cluster ${worst.kind.toLowerCase()}/${worst.name} -n ${worst.namespace} --to restart`,
        ]),
  ]
}

function columnsOf(workloads: readonly SurveyedWorkload[], isWide: boolean): Column[] {
  const has = (key: keyof SurveyedWorkload) => workloads.some((one) => one[key] !== undefined)
  return [
    { title: 'workload', textOf: nameOf },
    { title: 'cap', textOf: ({ cap }) => String(cap) },
    { title: 'peak', textOf: ({ peakPods }) => String(peakPods) },
    { title: 'over', textOf: ({ peakOverCap }) => String(peakOverCap) },
    { title: 'pods x time', textOf: ({ podSecondsOverCap }) => (podSecondsOverCap === 0 ? '-' : formatLength(podSecondsOverCap * 1000)) },
    ...(has('nodesAdded')
      ? [{ title: 'nodes added', textOf: ({ nodesAdded = 0 }: SurveyedWorkload) => (nodesAdded === 0 ? '-' : String(nodesAdded)) }]
      : []),
    ...(has('cost') ? [{ title: 'cost', textOf: ({ cost = 0 }: SurveyedWorkload) => (cost === 0 ? '-' : formatMoney(cost)) }] : []),
    {
      title: 'until available',
      textOf: ({ availableAfterMs }) => (availableAfterMs === undefined ? 'never' : formatLength(availableAfterMs)),
    },
    ...(isWide
      ? [
          {
            title: 'lowest availability',
            textOf: ({ lowestAvailability }: SurveyedWorkload) =>
              lowestAvailability === undefined ? '-' : formatShare(lowestAvailability),
          },
        ]
      : []),
  ]
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
