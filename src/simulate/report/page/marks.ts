// What happened, on the time axis: steps and faults through the whole chart, conditions and events in a lane of their own.
import type { Mark } from '../../rollout/result.ts'
import { svg } from './elements.ts'

interface Lane {
  x(ms: number): number
  readonly top: number
  readonly height: number
  readonly left: number
  readonly right: number
}

/** A tick for each column that has events, higher where there are more; a diamond for each that has conditions. */
export function drawLane(marks: readonly Mark[], { x, top, height, left, right }: Lane): SVGGElement {
  const middle = top + height / 2
  const columns = new Map<number, number>()
  const conditions = new Map<number, string[]>()
  for (const { type, atMs, object, text } of marks) {
    const column = Math.round(x(atMs))
    if (type === 'event') columns.set(column, (columns.get(column) ?? 0) + 1)
    // Two that lie on each other look like one.
    else if (type === 'condition') {
      const place = Math.round(column / 3) * 3
      const texts = conditions.get(place) ?? []
      conditions.set(place, texts)
      texts.push(`${object} ${text}`)
    }
  }
  const most = Math.max(1, ...columns.values())
  const ticks = [...columns].map(([column, count]) => {
    const half = (height / 2) * (0.35 + 0.65 * (Math.log(1 + count) / Math.log(1 + most)))
    return `M${column},${middle - half}V${middle + half}`
  })
  return svg(
    'g',
    { class: 'lane' },
    svg('line', { class: 'grid', x1: left, x2: right, y1: middle, y2: middle }),
    svg('path', { class: 'events', d: ticks.join('') }),
    ...[...conditions].map(([column, texts]) =>
      svg('path', { class: 'condition', d: `M${column},${middle - 5}l5,5l-5,5l-5,-5z` }, svg('title', {}, texts.join('\n'))),
    ),
  )
}

/** Where the sign and the label of a step or a fault stand. */
interface Moment {
  readonly type: 'step' | 'fault'
  readonly place: number
  readonly row: number
  /** In full, for who points at it. */
  readonly text: string
  readonly label?: { readonly text: string; readonly from: number }
}

/** About the width of a letter of a label. */
const letterWidth = 6.6
const maxLabelLength = 36
const maxRows = 2
export const momentRowHeight = 15

/** Steps and faults from left to right. A label without room in any row is left out: the values beside the chart contain it. */
export function placeMoments(marks: readonly Mark[], x: (ms: number) => number, left: number, right: number): Moment[] {
  const free = new Array<number>(maxRows).fill(0)
  const moments: Moment[] = []
  for (const { type, atMs, text: whole } of marks) {
    if (type !== 'step' && type !== 'fault') continue
    const place = Math.round(x(atMs)) + 0.5
    const [roomLeft, roomRight] = [place - 8 - left, right - place - 8]
    const wanted = Math.min(whole.length, maxLabelLength) * letterWidth
    const isLeft = wanted > roomRight && roomLeft > roomRight
    const text = shortened(whole, Math.min(maxLabelLength, Math.floor((isLeft ? roomLeft : roomRight) / letterWidth)))
    const width = text.length * letterWidth
    const from = isLeft ? place - 8 - width : place + 8
    const start = isLeft ? from : place - 6
    const row = free.findIndex((end) => end <= start)
    if (row >= 0) free[row] = isLeft ? place + 8 : from + width + 4
    moments.push({ type, place, row: Math.max(0, row), text: whole, ...(row >= 0 && { label: { text, from } }) })
  }
  return moments
}

const shortened = (text: string, most: number) => (text.length <= most ? text : most < 4 ? '' : `${text.slice(0, most - 1)}…`)

/** Lines through the chart, with signs and labels above it. */
export function drawMoments(moments: readonly Moment[], top: number, bottom: number): SVGGElement {
  const group = svg('g', { class: 'moments' })
  for (const { type, place, row, text, label } of moments) {
    const base = top - 5 - row * momentRowHeight
    group.append(
      svg('line', { class: type, x1: place, x2: place, y1: base, y2: bottom }),
      type === 'fault'
        ? svg('path', { class: 'fault-sign', d: `M${place - 3.5},${base - 7.5}l7,7m0,-7l-7,7` }, svg('title', {}, text))
        : svg('path', { class: 'step-sign', d: `M${place - 4},${base - 7}h8l-4,7z` }, svg('title', {}, text)),
    )
    if (label !== undefined) group.append(svg('text', { x: label.from, y: base, class: type }, label.text))
  }
  return group
}

/** The marks about a moment, the nearest first. */
export function marksNear(marks: readonly Mark[], atMs: number, withinMs: number): Mark[] {
  return marks
    .filter((mark) => Math.abs(mark.atMs - atMs) <= withinMs)
    .sort((a, b) => rank(a) - rank(b) || Math.abs(a.atMs - atMs) - Math.abs(b.atMs - atMs))
}

const order: readonly Mark['type'][] = ['fault', 'step', 'condition', 'event']
const rank = ({ type }: Mark) => order.indexOf(type)

export const signs: Readonly<Record<Mark['type'], string>> = { step: '▼', fault: '✕', condition: '◆', event: '│' }
