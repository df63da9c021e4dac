// The values at one moment, and the legend in one: a table of revisions and states whose cells show, and whose buttons
// show and hide.

import { formatLength } from '../../rollout/lengths.ts'
import { podStates } from '../../rollout/result.ts'
import { formatNumber } from '../format.ts'
import { indexAt, keyOfLayer, peakIndex } from '../stacked.ts'
import { html, svg } from './elements.ts'
import { marksNear, signs } from './marks.ts'
import { colourOf, fillOf } from './patterns.ts'
import type { Run, Shared } from './shared.ts'

interface Readout {
  readonly element: HTMLElement
  /** At the moment that is looked at, or at the peak. `columnMs`: how much time a pixel is. */
  show(columnMs: number): void
  /** The same in words. */
  text(): string
}

const lineNames = ['cap', 'desired', 'available', 'load'] as const

export function createReadout(run: Run, shared: Shared): Readout {
  const { series, marks } = run.outcome
  const states = podStates.filter((state) => shared.revisions.some((revision) => shared.present.has(keyOfLayer({ revision, state }))))
  const cells: { readonly cell: HTMLElement; readonly valueAt: (index: number) => number }[] = []
  const buttons: { readonly button: HTMLButtonElement; readonly key: string }[] = []
  const toggle = (key: string, name: string, swatch: SVGSVGElement, valueAt: (index: number) => number, label?: string) => {
    const value = html('span', { class: 'value', 'data-value': key })
    const button = html('button', { type: 'button', class: 'toggle', 'aria-label': `Show ${name}` }, swatch)
    if (label !== undefined) button.append(html('span', { class: 'label' }, label))
    button.append(value)
    button.addEventListener('click', () => shared.toggle(key))
    cells.push({ cell: value, valueAt })
    buttons.push({ button, key })
    return button
  }

  const rows = shared.revisions.map((revision, place) =>
    html(
      'tr',
      {},
      html('th', { scope: 'row' }, `Revision ${revision}`),
      ...states.map((state) => {
        const key = keyOfLayer({ revision, state })
        if (!shared.present.has(key)) return html('td', { class: 'none' })
        const values = series.layers.find((layer) => keyOfLayer(layer) === key)?.values
        return html(
          'td',
          {},
          toggle(key, `revision ${revision}, ${state}`, areaSwatch(fillOf(place, state), place), (index) => values?.[index] ?? 0),
        )
      }),
    ),
  )
  const lines = lineNames
    .filter((name) => series[name] !== undefined)
    .map((name) => toggle(name, name, lineSwatch(name), (index) => Math.round(series[name]![index]! * 10) / 10, name))
  const moment = html('span', { class: 'moment' })
  const total = html('span', { class: 'value total', 'data-value': 'total' })
  const nodes = html('span', { class: 'value', 'data-value': 'nodes' })
  const near = html('span', { class: 'near' })
  const more = html('span', { class: 'more' })
  const element = html(
    'div',
    { class: 'readout' },
    html('p', { class: 'now' }, moment, near, more),
    html(
      'table',
      {},
      html('thead', {}, html('tr', {}, html('td'), ...states.map((state) => html('th', { scope: 'col' }, state)))),
      html('tbody', {}, ...rows),
    ),
    html(
      'div',
      { class: 'lines' },
      html('span', { class: 'fact' }, html('span', { class: 'label' }, 'pods'), total),
      ...lines,
      html('span', { class: 'fact' }, lineSwatch('nodes'), html('span', { class: 'label' }, 'nodes'), nodes),
    ),
  )
  const showToggles = () => {
    for (const { button, key } of buttons) button.setAttribute('aria-pressed', String(!shared.hidden.has(key)))
  }
  showToggles()
  shared.onToggle(showToggles)

  const peak = peakIndex(run.stack.total)
  let words = ''
  return {
    element,
    show(columnMs) {
      const { atMs } = shared
      const index = atMs === undefined ? peak : indexAt(series.times, atMs)
      const shownMs = atMs ?? series.times[peak]!
      const endMs = series.times.at(-1)!
      moment.textContent =
        atMs === undefined
          ? `At the peak, ${formatLength(shownMs)}`
          : atMs > endMs
            ? `Ended at ${formatLength(endMs)}`
            : `At ${formatLength(atMs)}`
      for (const { cell, valueAt } of cells) {
        const value = valueAt(index)
        cell.textContent = formatNumber(value)
        cell.classList.toggle('zero', value === 0)
      }
      const pods = run.stack.total[index]!
      const cap = series.cap[index]!
      total.textContent = formatNumber(pods)
      total.classList.toggle('over-cap', pods > run.stack.allowed[index]!)
      nodes.textContent = formatNumber(series.nodes[index]!)
      const marked = atMs === undefined ? [] : marksNear(marks, atMs, 4 * columnMs)
      const [first] = marked
      near.textContent = first === undefined ? '' : `${signs[first.type]} ${first.object} ${first.text}`
      near.className = `near ${first?.type ?? ''}`
      more.textContent = marked.length > 1 ? `and ${formatNumber(marked.length - 1)} more` : ''
      words = `${formatLength(shownMs)}: ${formatNumber(pods)} pods of at most ${formatNumber(cap)}, ${formatNumber(series.available[index]!)} available, ${formatNumber(series.nodes[index]!)} nodes`
    },
    text: () => words,
  }
}

function areaSwatch(fill: string, place: number): SVGSVGElement {
  return svg(
    'svg',
    { class: 'swatch', width: 15, height: 15, viewBox: '0 0 15 15', 'aria-hidden': 'true' },
    svg('rect', { x: 0.5, y: 0.5, width: 14, height: 14, rx: 3, fill, stroke: colourOf(place) }),
  )
}

function lineSwatch(name: string): SVGSVGElement {
  return svg(
    'svg',
    { class: 'swatch', width: 18, height: 15, viewBox: '0 0 18 15', 'aria-hidden': 'true' },
    svg('line', { class: `line ${name}`, x1: 0, x2: 18, y1: 7.5, y2: 7.5 }),
  )
}
