// The measures side by side.

import { exceededCap } from '../rollout/exceeded-cap.ts'
import { hadOldPods } from '../rollout/outcome-end.ts'
import { wordsFor } from '../rollout/output/words.ts'
import type { Outcome, Percentiles, SimulationResult } from '../rollout/result.ts'
import { escapeHtml } from './escape.ts'
import { formatNumber } from './format.ts'
import { bestOutcomes, comparedValue, type MeasureRow, measureRows, nameOf } from './measure-rows.ts'

export function renderComparison({ outcomes, runs }: SimulationResult): string {
  const words = wordsFor(outcomes)
  const isAny = (key: MeasureRow['key']) => outcomes.some((outcome) => (comparedValue(outcome, key) ?? 0) > 0)
  const hasStuck = hadOldPods(outcomes) && outcomes.some(({ stuck }) => stuck !== undefined)
  const isShown = (key: MeasureRow['key']) =>
    // What never happens is worth a row of its own.
    isCompletion(key) || (key === 'oldGoneAfterMs' && hasStuck) || outcomes.some((outcome) => comparedValue(outcome, key) !== undefined)
  const rows = measureRows.filter(({ key, isOptional }) => words.has(key) && isShown(key) && (!isOptional || isAny(key)))
  const hasBest = rows.some((row) => bestOutcomes(row, outcomes).size > 0)
  const hasOver = outcomes.some(({ measures }) => measures.peakOverCap > 0)
  const key = [
    hasBest ? '<span class="is-best">✓ best</span>' : '',
    hasOver ? `<span class="is-over">▲ more pods than ${words.cap}</span>` : '',
    runs > 1 ? `the median of ${formatNumber(runs)} seeds, with the 90th percentile and the worst below it` : '',
  ].filter((part) => part !== '')
  return `<h2>${outcomes.length > 1 ? 'Compared' : 'In numbers'}</h2>
${outcomes.length > 1 ? '<p class="scroll-hint">The table scrolls sideways →</p>\n' : ''}<div class="card scroll" tabindex="0" role="group" aria-label="The measures">
<table class="compared${outcomes.length > 1 ? '' : ' single'}">
<thead><tr><th scope="col"><span class="about">measure</span></th>${outcomes.map((outcome) => `<th scope="col">${breakable(nameOf(outcome))}</th>`).join('')}</tr></thead>
<tbody>
${rows.map((row) => renderRow(row, outcomes)).join('\n')}
</tbody></table></div>
${key.length === 0 ? '' : `<p class="key">${key.join(' · ')}</p>`}`
}

const isCompletion = (key: MeasureRow['key']) => key === 'availableAfterMs' || key === 'completeAfterMs'

function renderRow(row: MeasureRow, outcomes: readonly Outcome[]): string {
  const best = bestOutcomes(row, outcomes)
  const highest = Math.max(0, ...outcomes.map((outcome) => comparedValue(outcome, row.key) ?? 0))
  const cells = outcomes.map((outcome) => {
    const value = comparedValue(outcome, row.key)
    if (value === undefined) {
      const isNever = isCompletion(row.key) || (row.key === 'oldGoneAfterMs' && outcome.stuck !== undefined)
      const text = isNever ? 'never' : '–'
      return `<td class="${isNever ? 'never' : ''}" data-measure="${row.key}"><span class="number ${isNever ? '' : 'missing'}">${text}</span></td>`
    }
    const isOver = (row.key === 'peakPods' || row.key === 'peakOverCap') && (comparedValue(outcome, 'peakOverCap') ?? 0) > 0
    const kind = isOver ? 'over' : best.has(outcome) ? 'best' : ''
    return `<td class="${kind}" data-measure="${row.key}" data-value="${value}"><span class="number">${row.format(value)}</span>${smallPrint(row, outcome)}${outcomes.length > 1 && highest > 0 ? renderBar(value / highest) : ''}</td>`
  })
  return `<tr><th scope="row">${row.label}<span class="about">${row.about}</span></th>${cells.join('')}</tr>`
}

function smallPrint({ key, format, better }: MeasureRow, outcome: Outcome): string {
  const of = outcome.spread?.[key]
  const textOf = (value: number | undefined) => (value === undefined ? 'never' : format(value))
  const cap = exceededCap(outcome)
  // Where more is better, the worst value is the minimum, and p90 says nothing about nine in ten runs.
  const parts = [
    ...(of === undefined || of.min === of.max
      ? []
      : better === 'lower'
        ? [`p90 ${textOf(of.p90)}`, `max ${textOf(of.max)}`]
        : [`min ${format(of.min)}`]),
    key === 'peakPods' && cap !== undefined ? `of ${formatNumber(cap)} allowed` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : `<span class="small">${parts.map((part) => `<span>${part}</span>`).join(' ')}</span>`
}

function renderBar(share: number): string {
  const width = Math.round(share * 1000) / 10
  return `<svg class="bar" aria-hidden="true"><rect class="ground" width="100%" height="4" rx="2"/><rect class="filled" width="${width}%" height="4" rx="2"/></svg>`
}

const percentileNames: readonly (keyof Percentiles)[] = ['min', 'p50', 'p90', 'p99', 'max']

export function renderPercentiles({ outcomes, runs }: SimulationResult): string {
  const rows = measureRows.flatMap(({ key, label, format }) => {
    const withSpread = outcomes.filter(({ spread }) => spread?.[key] !== undefined)
    return withSpread.map((outcome, index) => {
      const of = outcome.spread![key]!
      const head = index === 0 ? `<th scope="rowgroup" rowspan="${withSpread.length}">${label}</th>` : ''
      const cells = percentileNames.map(
        (name) => `<td data-percentile="${name}">${of[name] === undefined ? 'never' : format(of[name])}</td>`,
      )
      return `<tr${index === 0 ? ' class="first"' : ''}>${head}<td class="of">${breakable(nameOf(outcome))}</td>${cells.join('')}</tr>`
    })
  })
  if (rows.length === 0) return ''
  return `<details class="percentiles"><summary>All percentiles of ${formatNumber(runs)} seeds</summary>
<div class="card scroll" tabindex="0" role="group" aria-label="Percentiles"><table class="compared">
<thead><tr><th scope="col"></th><th scope="col"></th>${percentileNames.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div></details>`
}

/** Long names may be broken where a word begins. */
const breakable = (name: string) => escapeHtml(name).replaceAll(/([a-z])([A-Z])/g, '$1<wbr>$2')
