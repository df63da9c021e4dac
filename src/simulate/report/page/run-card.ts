// One run on the page: its chart, its values, and a list of what happened.

import { formatLength } from '../../rollout/lengths.ts'
import type { Mark } from '../../rollout/result.ts'
import { formatNumber } from '../format.ts'
import { indexAt } from '../stacked.ts'
import { type Drawn, drawChart, type Size, sizeFor } from './chart.ts'
import { html } from './elements.ts'
import { signs } from './marks.ts'
import { createReadout } from './readout.ts'
import type { Run, Shared } from './shared.ts'

interface RunCard {
  /** Draws for the room that there is now, or for the one that is given. */
  draw(size?: Size): void
}

export function createRunCard(host: Element, run: Run, shared: Shared, name: string): RunCard {
  const readout = createReadout(run, shared)
  const plot = html('div', {
    class: 'plot',
    tabindex: 0,
    role: 'slider',
    'aria-label': `Pods and nodes over time, ${name}`,
    'aria-valuemin': 0,
    'aria-valuemax': Math.round(shared.endMs),
  })
  // Beside the drawing, not in it: a line that moves must not have thousands of steps painted again.
  const cross = html('div', { class: 'cross', hidden: '' })
  host.append(readout.element, plot, markList(run.outcome.marks))
  let drawn: Drawn | undefined
  let size = sizeFor(0)

  const show = () => {
    readout.show(shared.endMs / Math.max(1, size.width))
    cross.hidden = drawn === undefined || shared.atMs === undefined
    if (drawn !== undefined && shared.atMs !== undefined) cross.style.transform = `translateX(${drawn.placeOf(shared.atMs)}px)`
    plot.setAttribute('aria-valuenow', String(Math.round(shared.atMs ?? 0)))
    plot.setAttribute('aria-valuetext', readout.text())
  }
  const draw = (asked = sizeFor(plot.clientWidth)) => {
    if (asked.width <= 0) return
    size = asked
    drawn = drawChart(run, shared, size)
    cross.style.top = `${drawn.top}px`
    cross.style.height = `${drawn.bottom - drawn.top}px`
    plot.replaceChildren(drawn.element, cross)
    show()
  }
  shared.onLook(show)
  shared.onToggle(() => draw(size))
  follow(plot, shared, run, (event) => {
    const { left, width: shownWidth } = plot.getBoundingClientRect()
    return drawn?.momentAt(event.clientX - left, shownWidth)
  })
  return { draw }
}

/** The mouse, a finger and the keys move the moment that is looked at, in all charts. */
function follow(plot: HTMLElement, shared: Shared, run: Run, momentAt: (event: PointerEvent) => number | undefined): void {
  let next: number | undefined
  let isWaiting = false
  const look = (atMs: number | undefined) => {
    next = atMs
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(() => {
      isWaiting = false
      shared.look(next)
    })
  }
  const move = (event: PointerEvent) => {
    const atMs = momentAt(event)
    if (atMs !== undefined) look(Math.min(Math.max(atMs, 0), shared.endMs))
  }
  plot.addEventListener('pointermove', move)
  plot.addEventListener('pointerdown', move)
  // A finger that is lifted leaves its line: there is nothing to hover with.
  plot.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'mouse') look(undefined)
  })
  const { times } = run.stack
  plot.addEventListener('keydown', (event) => {
    const here = indexAt(times, shared.atMs ?? 0)
    const far = Math.max(1, Math.round(times.length / 20))
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: here + 1,
      ArrowUp: here + 1,
      ArrowLeft: (shared.atMs ?? 0) > times[here]! ? here : here - 1,
      ArrowDown: here - 1,
      PageUp: here + far,
      PageDown: here - far,
      Home: 0,
      End: times.length - 1,
    }
    const step = steps[event.key]
    if (event.key === 'Escape') shared.look(undefined)
    if (step === undefined) return
    event.preventDefault()
    shared.look(times[Math.min(Math.max(step, 0), times.length - 1)])
  })
  plot.addEventListener('blur', () => shared.look(undefined))
}

const maxListed = 500

function markList(marks: readonly Mark[]): HTMLElement {
  const list = html('ol', { class: 'marks' })
  const details = html('details', { class: 'happened' }, html('summary', {}, `What happened (${formatNumber(marks.length)})`), list)
  // There may be thousands of lines: they are added when the section is opened.
  details.addEventListener('toggle', () => {
    if (!details.open || list.childElementCount > 0) return
    for (const mark of marks.slice(0, maxListed))
      list.append(
        html(
          'li',
          { class: mark.type },
          html('span', { class: 'sign', 'aria-hidden': 'true' }, signs[mark.type]),
          html('time', {}, formatLength(mark.atMs)),
          html('span', { class: 'text' }, html('b', {}, mark.object), ` ${mark.text}`),
        ),
      )
    if (marks.length > maxListed) list.append(html('li', {}, `… and ${formatNumber(marks.length - maxListed)} more`))
  })
  return details
}
