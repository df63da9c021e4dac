// A result as Markdown, for a comment on a pull request: the table, the advice, and a chart in characters. Pure.
import { comparedValue, measureRows, nameOf } from '../../report/measure-rows.ts'
import { hadOldPods } from '../outcome-end.ts'
import type { Outcome, SimulationResult } from '../result.ts'
import { renderCharts, renderEachWorkload } from './summary.ts'
import { wordsFor } from './words.ts'

const plain = { width: 100, hasColour: false, isUtf8: true }

/** Text in a cell: no column ends early, and nothing is read as HTML or as a mention. */
const cell = (text: string) => text.replaceAll(/[\\|<>@`*_[\]]/g, (sign) => `\\${sign}`).replaceAll('\n', ' ')

export function renderMarkdown(result: SimulationResult): string {
  const { outcomes, title, change = [], assumptions = [], advice, how } = result
  const words = wordsFor(outcomes)
  const value = (outcome: Outcome, key: (typeof measureRows)[number]['key'], format: (value: number) => string) => {
    const own = comparedValue(outcome, key)
    return own === undefined ? (key.endsWith('AfterMs') ? 'never' : '–') : format(own)
  }
  const isAny = (key: (typeof measureRows)[number]['key']) => outcomes.some(({ measures }) => (measures[key] ?? 0) !== 0)
  const hadOld = hadOldPods(outcomes)
  const rows = measureRows.filter(
    ({ key, isOptional }) => words.has(key) && (!isOptional || isAny(key)) && (key !== 'oldGoneAfterMs' || hadOld),
  )
  const each = renderEachWorkload(plain, outcomes)
  const failures = outcomes.flatMap((outcome) => outcome.failures.map((failure) => `- ✗ **${cell(nameOf(outcome))}**: ${cell(failure)}`))
  return [
    '<!-- rollcall.markdown/1 -->',
    `### ${cell(title)}${change.length === 0 ? '' : `: ${cell(change.join(', '))}`}`,
    '',
    ...(failures.length === 0 ? [] : [...failures, '']),
    `| | ${outcomes.map((outcome) => cell(nameOf(outcome))).join(' | ')} |`,
    `|---|${outcomes.map(() => '--:').join('|')}|`,
    ...rows.map(
      ({ key, label, format }) => `| ${cell(label)} | ${outcomes.map((outcome) => cell(value(outcome, key, format))).join(' | ')} |`,
    ),
    '',
    ...(advice === undefined ? [] : [cell(advice), '']),
    ...(how === undefined ? [] : ['```sh', ...how, '```', '']),
    ...(each.length === 0
      ? []
      : ['<details><summary>Each workload, furthest over its cap first</summary>', '', '```text', ...each, '```', '', '</details>', '']),
    `<details><summary>Pods over time${result.runs > 1 ? `, in the run of seed ${result.seed}` : ''}</summary>`,
    '',
    '```text',
    ...renderCharts(plain, outcomes),
    '```',
    '',
    '</details>',
    '',
    ...(assumptions.length === 0 ? [] : [`Assumed: ${cell(assumptions.join('; '))}.`, '']),
    `<sub>Simulated by Rollcall${result.version === undefined ? '' : ` ${result.version}`}, seed ${result.seed}${result.runs > 1 ? `, ${result.runs} runs, medians` : ''}.</sub>`,
    '',
  ].join('\n')
}
