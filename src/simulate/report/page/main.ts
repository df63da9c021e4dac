// The report's script: reads the data that is embedded in the page, and draws it.
import { nameOf } from '../measure-rows.ts'
import { type PackedResult, unpackOutcomes } from '../packed.ts'
import type { Size } from './chart.ts'
import { startCopyButtons, startThemeSwitch } from './controls.ts'
import { patternDefinitions } from './patterns.ts'
import { createRunCard } from './run-card.ts'
import { Shared } from './shared.ts'

/** The size on paper: two charts fit on a page. */
const printed: Size = { width: 660, podsHeight: 140 }

startThemeSwitch()
startCopyButtons()

const data = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as PackedResult
const shared = new Shared(unpackOutcomes(data))
document.body.prepend(patternDefinitions())
const cards = shared.runs.flatMap((run, index) => {
  const host = document.querySelector(`[data-outcome="${index}"] .run`)
  return host === null ? [] : [createRunCard(host, run, shared, nameOf(run.outcome))]
})
const draw = (size?: Size) => {
  for (const card of cards) card.draw(size)
}
draw()

let lastWidth = 0
new ResizeObserver(([entry]) => {
  const width = entry?.contentRect.width ?? 0
  if (Math.abs(width - lastWidth) < 1) return
  lastWidth = width
  draw()
}).observe(document.querySelector('.runs') ?? document.body)

let opened: HTMLDetailsElement[] = []
addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll<HTMLDetailsElement>('details.printed:not([open])')]
  for (const details of opened) details.open = true
  draw(printed)
})
addEventListener('afterprint', () => {
  for (const details of opened) details.open = false
  draw()
})
document.documentElement.classList.add('is-drawn')
