// Pods by state and revision over time with the cap, nodes under them, and events and condition changes on the same axis.
import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import type { HistoryView } from '../data/history.ts'
import type { MarkRow } from '../data/views.ts'
import { formatAge } from '../format.ts'
import { revisionsIn, type StackedLayer, stackLayers } from './stack.ts'
import { colourOf, textureOf } from './textures.ts'

interface ChartProps {
  readonly history: HistoryView
  readonly startMs: number
  readonly marks: readonly Pick<MarkRow, 'atMs' | 'isWarning' | 'text' | 'type'>[]
  readonly label: string
}

const podsHeight = 240
const nodesHeight = 80

export function PodChart({ history, startMs, marks, label }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const plots = useRef<{ pods: uPlot; nodes: uPlot; shape: string } | undefined>(undefined)
  const latest = useRef<Latest['current']>({ history, startMs, marks, layers: [], onPoint() {} })
  const theme = useTheme()
  const layers = stackLayers(history)
  latest.current = { ...latest.current, history, startMs, marks, layers }

  useEffect(() => {
    const element = box.current
    if (element === null) return
    const shape = `${theme} ${layers.map(({ revision, state }) => `${revision}-${state}`).join(' ')}`
    if (plots.current?.shape !== shape) {
      plots.current?.pods.destroy()
      plots.current?.nodes.destroy()
      plots.current = { ...makePlots(element, latest), shape }
    }
    const { pods, nodes } = plots.current
    const times = history.times.map((ms) => ms / 1000)
    pods.setData([times, ...layers.map(({ edge }) => [...edge]), [...history.desired], [...history.cap]] as uPlot.AlignedData)
    nodes.setData([times, [...history.nodes]] as uPlot.AlignedData)
  })
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      const width = element.clientWidth
      plots.current?.pods.setSize({ width, height: podsHeight })
      plots.current?.nodes.setSize({ width, height: nodesHeight })
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      plots.current?.pods.destroy()
      plots.current?.nodes.destroy()
      plots.current = undefined
    }
  }, [])
  // Under the pointer the legend shows the numbers of that moment, otherwise those of the last one.
  const [pointed, setPointed] = useState<number | undefined>()
  latest.current.onPoint = setPointed
  const at = pointed !== undefined && pointed < history.times.length ? pointed : history.times.length - 1
  const numbers = layers.map(({ revision, state, values }) => ({ revision, state, count: values[at] ?? 0 }))
  const revisions = revisionsIn(layers)
  return (
    <figure class="chart" aria-label={label}>
      <div ref={box} role="img" aria-label={`${label}: ${describe(numbers)}`} />
      <figcaption>
        <p class="readout">
          {pointed === undefined ? 'Now' : `At ${formatAge(history.times[at] ?? 0)}`}
          {pointed !== undefined &&
            marksNear(marks, startMs + (history.times[at] ?? 0), history.times.at(-1) ?? 0).map(({ atMs, text }) => (
              <span key={`${atMs} ${text}`}> · {text}</span>
            ))}
        </p>
        <ul class="legend" data-testid="legend">
          {numbers.map(({ revision, state, count }) => (
            <li key={`${revision}-${state}`} data-revision={revision} data-state={state} data-count={count}>
              <span class={`swatch ${state} revision-${(revisions.indexOf(revision) % 6) + 1}`} aria-hidden="true" />
              {count} {state}, revision {revision}
            </li>
          ))}
          <li data-line="cap" data-count={history.cap[at] ?? 0}>
            <span class="swatch cap" aria-hidden="true" /> cap {history.cap[at] ?? 0}
          </li>
          <li data-line="desired" data-count={history.desired[at] ?? 0}>
            <span class="swatch desired" aria-hidden="true" /> desired {history.desired[at] ?? 0}
          </li>
          <li data-line="nodes" data-count={history.nodes[at] ?? 0}>
            <span class="swatch nodes" aria-hidden="true" /> {history.nodes[at] ?? 0} nodes
          </li>
        </ul>
      </figcaption>
    </figure>
  )
}

const maxShownMarks = 2

/** Those within a fiftieth of the axis, the nearest first. */
function marksNear(marks: ChartProps['marks'], atMs: number, lengthMs: number): ChartProps['marks'] {
  const distance = (mark: { readonly atMs: number }) => Math.abs(mark.atMs - atMs)
  return marks
    .filter((mark) => distance(mark) <= lengthMs / 50)
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, maxShownMarks)
}

const describe = (numbers: readonly { readonly revision: number; readonly state: string; readonly count: number }[]) =>
  numbers
    .filter(({ count }) => count > 0)
    .map(({ revision, state, count }) => `${count} ${state} of revision ${revision}`)
    .join(', ') || 'no pods'

/** Changes when the colours do. */
function useTheme(): string {
  const [theme, setTheme] = useState('')
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)')
    const read = () => setTheme(`${document.documentElement.dataset['theme'] ?? ''}${query.matches}`)
    const observer = new MutationObserver(read)
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    query.addEventListener('change', read)
    read()
    return () => {
      observer.disconnect()
      query.removeEventListener('change', read)
    }
  }, [])
  return theme
}

interface Latest {
  current: {
    readonly history: HistoryView
    readonly startMs: number
    readonly marks: ChartProps['marks']
    readonly layers: readonly StackedLayer[]
    onPoint(index: number | undefined): void
  }
}

function makePlots(element: HTMLDivElement, latest: Latest): { pods: uPlot; nodes: uPlot } {
  element.replaceChildren()
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const ink = colour('--soft')
  const grid = { stroke: colour('--grid'), width: 1 }
  const { layers } = latest.current
  const revisions = revisionsIn(layers)
  const stepped = uPlot.paths.stepped!({ align: 1 })
  const sync = { key: `pods-${Math.floor(performance.now())}` }
  const width = Math.max(200, element.clientWidth)
  const axis = (): uPlot.Axis => ({ stroke: ink, grid, ticks: grid, font: '12px system-ui, sans-serif' })
  const timeAxis: uPlot.Axis = {
    ...axis(),
    incrs: [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400],
    values: (_, splits) => splits.map((seconds) => formatAge(seconds * 1000)),
  }
  const countAxis = (name: string): uPlot.Axis => ({
    ...axis(),
    size: 54,
    label: name,
    labelSize: 18,
    labelFont: '12px system-ui, sans-serif',
    incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000],
  })
  const shared = { width, legend: { show: false } }
  const line = { paths: stepped, points: { show: false } }
  const time = { time: false }
  const pods = new uPlot(
    {
      ...shared,
      height: podsHeight,
      padding: [8, 14, 0, 0],
      cursor: { sync, drag: { x: true, y: false } },
      scales: { x: time, y: { range: (_, __, max) => [0, Math.max(1, Math.ceil(max * 1.05))] } },
      axes: [timeAxis, countAxis('pods')],
      series: [
        {},
        ...layers.map(({ revision, state }): uPlot.Series => {
          const stroke = colourOf(revisions.indexOf(revision), style)
          return { ...line, stroke, width: 1, fill: (plot) => textureOf(plot.ctx, stroke, state) as CanvasPattern }
        }),
        { ...line, stroke: ink, width: 1, dash: [2, 3] },
        { ...line, stroke: colour('--ink'), width: 1.5, dash: [7, 4] },
      ],
      // The fill of a layer ends where the layer below begins.
      bands: layers.slice(1).map((_, index) => ({ series: [index + 2, index + 1] as [number, number] })),
      hooks: {
        draw: [(plot) => drawMarks(plot, latest, style)],
        setCursor: [
          ({ cursor }) => latest.current.onPoint(cursor.left !== undefined && cursor.left >= 0 ? (cursor.idx ?? undefined) : undefined),
        ],
      },
    },
    [[]],
    element,
  )
  const nodes = new uPlot(
    {
      ...shared,
      height: nodesHeight,
      padding: [8, 14, 4, 0],
      cursor: { sync },
      scales: { x: time, y: { range: (_, __, max) => [0, Math.max(1, Math.ceil(max))] } },
      axes: [{ ...timeAxis, show: false }, countAxis('nodes')],
      series: [{}, { ...line, stroke: colour('--node'), fill: `${colour('--node')}33`, width: 1.5 }],
    },
    [[]],
    element,
  )
  return { pods, nodes }
}

/** A tick for an event, a diamond for a condition, at the top of the chart. */
function drawMarks(plot: uPlot, latest: Latest, style: CSSStyleDeclaration): void {
  const { ctx, bbox } = plot
  const { marks, startMs } = latest.current
  ctx.save()
  for (const { atMs, type, isWarning } of marks) {
    const x = plot.valToPos((atMs - startMs) / 1000, 'x', true)
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.fillStyle = ctx.strokeStyle = style.getPropertyValue(isWarning ? '--bad' : '--accent').trim()
    ctx.beginPath()
    if (type === 'event') {
      ctx.moveTo(x, bbox.top)
      ctx.lineTo(x, bbox.top + 7 * devicePixelRatio)
      ctx.lineWidth = devicePixelRatio
      ctx.stroke()
    } else {
      const r = 4 * devicePixelRatio
      ctx.moveTo(x, bbox.top)
      ctx.lineTo(x + r, bbox.top + r)
      ctx.lineTo(x, bbox.top + 2 * r)
      ctx.lineTo(x - r, bbox.top + r)
      ctx.fill()
    }
  }
  ctx.restore()
}
