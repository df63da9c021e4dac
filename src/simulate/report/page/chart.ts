// One run drawn: pods stacked over time with the cap, what happened below them, and nodes, all on one time axis.
import { drawnIndexes } from '../drawn-indexes.ts'
import { formatNumber, formatTick } from '../format.ts'
import { timeScale } from '../scale.ts'
import { edgesOf, keyOfLayer } from '../stacked.ts'
import { svg } from './elements.ts'
import { drawLane, drawMoments, momentRowHeight, placeMoments } from './marks.ts'
import { type Places, stepArea, stepAreasAbove, stepLine } from './paths.ts'
import { colourOf, fillOf } from './patterns.ts'
import type { Run, Shared } from './shared.ts'

const rightMargin = 14
/** About the width of a digit of an axis. */
const digitWidth = 6.9

/** Room for the name of an axis and its longest number: the same for all charts. */
function leftMargin({ pods, nodes }: Shared): number {
  const longest = Math.max(...[...pods.ticks, nodes.max].map((value) => formatNumber(value).length))
  return Math.max(44, Math.round(24 + longest * digitWidth))
}

const laneHeight = 22
const nodesHeight = 46
const gap = 10
const axisHeight = 22
/** Between two written times. */
const tickDistance = 64

export interface Drawn {
  readonly element: SVGSVGElement
  /** What a line through everything spans, in pixels from the top. */
  readonly top: number
  readonly bottom: number
  /** In pixels from the left. */
  placeOf(atMs: number): number
  /** The moment under a place, in pixels from the left edge of the drawing as it is shown. */
  momentAt(pixels: number, shownWidth: number): number
}

/** In pixels; the height is that of the pods alone. */
export interface Size {
  readonly width: number
  readonly podsHeight: number
}

export const sizeFor = (width: number): Size => ({ width, podsHeight: Math.round(Math.min(260, Math.max(170, width * 0.36))) })

export function drawChart(run: Run, shared: Shared, { width, podsHeight }: Size): Drawn {
  const left = leftMargin(shared)
  const plotWidth = width - left - rightMargin
  const right = width - rightMargin
  const x = (ms: number) => left + (ms / shared.endMs) * plotWidth
  // The same for all charts, so that they stand side by side.
  const rows = Math.max(0, ...shared.runs.flatMap(({ outcome }) => placeMoments(outcome.marks, x, left, right).map(({ row }) => row + 1)))
  const top = 8 + rows * momentRowHeight
  const laneTop = top + podsHeight + 4
  const nodesTop = laneTop + laneHeight + gap
  const bottom = nodesTop + nodesHeight
  const height = bottom + axisHeight
  const pods: Places = { x, y: (value) => top + podsHeight * (1 - value / shared.pods.max) }
  const nodes: Places = { x, y: (value) => nodesTop + nodesHeight * (1 - value / shared.nodes.max) }

  const element = svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      class: 'chart',
      'data-left': left,
      'data-width': plotWidth,
      'data-end-ms': shared.endMs,
      'data-pods-top': top,
      'data-pods-height': podsHeight,
      'data-pods-max': shared.pods.max,
      'data-nodes-top': nodesTop,
      'data-nodes-height': nodesHeight,
      'data-nodes-max': shared.nodes.max,
      'aria-hidden': 'true',
    },
    drawTimeAxis(shared.endMs, plotWidth, x, top, bottom),
    drawCountAxis(shared.pods.ticks, pods, left, right, 'pods'),
    drawCountAxis([0, shared.nodes.max], nodes, left, right, 'nodes'),
    drawPods(run, shared, pods, plotWidth),
    drawNodes(run, shared, nodes, plotWidth),
    drawLane(run.outcome.marks, { x, top: laneTop, height: laneHeight, left, right }),
    drawMoments(placeMoments(run.outcome.marks, x, left, right), top, bottom),
  )
  return {
    element,
    top,
    bottom,
    placeOf: x,
    momentAt: (pixels, shownWidth) => (((pixels / shownWidth) * width - left) / plotWidth) * shared.endMs,
  }
}

function drawTimeAxis(endMs: number, plotWidth: number, x: (ms: number) => number, top: number, bottom: number): SVGGElement {
  const { ticks } = timeScale(endMs, Math.max(2, Math.floor(plotWidth / tickDistance)))
  return svg(
    'g',
    { class: 'axis times' },
    ...ticks.flatMap((ms) => [
      svg('line', { class: 'grid', x1: x(ms), x2: x(ms), y1: top, y2: bottom }),
      svg('text', { x: x(ms), y: bottom + 15, 'text-anchor': 'middle' }, formatTick(ms)),
    ]),
  )
}

function drawCountAxis(ticks: readonly number[], { y }: Places, left: number, right: number, name: string): SVGGElement {
  return svg(
    'g',
    { class: `axis ${name}` },
    ...ticks.flatMap((value) => [
      svg('line', { class: value === 0 ? 'ground' : 'grid', x1: left, x2: right, y1: y(value), y2: y(value) }),
      svg('text', { x: left - 7, y: y(value) + 3.5, 'text-anchor': 'end' }, formatNumber(value)),
    ]),
    svg(
      'text',
      {
        class: 'name',
        'text-anchor': 'middle',
        transform: `translate(9 ${(y(0) + y(ticks.at(-1)!)) / 2}) rotate(-90)`,
      },
      name,
    ),
  )
}

function drawPods({ outcome: { series }, stack }: Run, shared: Shared, places: Places, plotWidth: number): SVGGElement {
  const isShown = (key: string) => !shared.hidden.has(key)
  const edges = edgesOf(stack, ({ key }) => isShown(key))
  const { times } = stack
  const indexes = drawnIndexes(
    times,
    [...edges, series.cap, series.desired, series.available, ...(series.load === undefined ? [] : [series.load])],
    shared.endMs / plotWidth,
  )
  const ground = new Float64Array(times.length)
  const group = svg('g', { class: 'stack' })
  stack.layers.forEach((layer, place) => {
    if (!isShown(layer.key) || !shared.present.has(layer.key)) return
    const colour = shared.revisions.indexOf(layer.revision)
    const below = edges[place - 1] ?? ground
    const edge = edges[place]!
    group.append(
      svg('path', { class: 'area', fill: fillOf(colour, layer.state), d: stepArea(times, edge, below, indexes, places) }),
      svg('path', {
        class: `edge ${layer.state}`,
        stroke: colourOf(colour),
        'data-layer': keyOfLayer(layer),
        d: stepLine(times, edge, indexes, places),
      }),
    )
  })
  // With a layer hidden, the drawn height is not the number of pods.
  const isWhole = stack.layers.every(({ key }) => isShown(key))
  if (isWhole && isShown('cap') && stack.total.some((total, index) => total > stack.allowed[index]!)) {
    group.append(svg('path', { class: 'over', d: stepAreasAbove(times, stack.total, stack.allowed, indexes, places) }))
  }
  for (const name of ['available', 'desired', 'cap', 'load'] as const) {
    const line = series[name]
    if (isShown(name) && line !== undefined)
      group.append(svg('path', { class: `line ${name}`, 'data-line': name, d: stepLine(times, line, indexes, places) }))
  }
  if (stack.times.at(-1)! < shared.endMs) {
    const end = places.x(stack.times.at(-1)!)
    group.append(svg('line', { class: 'end', x1: end, x2: end, y1: places.y(0), y2: places.y(shared.pods.max) }))
  }
  return group
}

function drawNodes({ outcome: { series } }: Run, shared: Shared, places: Places, plotWidth: number): SVGGElement {
  const indexes = drawnIndexes(series.times, [series.nodes], shared.endMs / plotWidth)
  const ground = new Float64Array(series.times.length)
  return svg(
    'g',
    { class: 'nodes-line' },
    svg('path', { class: 'area', d: stepArea(series.times, series.nodes, ground, indexes, places) }),
    svg('path', { class: 'line', 'data-line': 'nodes', d: stepLine(series.times, series.nodes, indexes, places) }),
  )
}
