// Reads the values back from the charts: the coordinates of the paths, converted by the scales of the chart.
import type { Page } from 'playwright-core'

interface ChartLine {
  readonly name: string
  /** The value at a moment. */
  valueAt(ms: number): number
  /** The maximum between two moments, also for a peak without width. */
  highestIn(fromMs: number, toMs: number): number
}

interface RawChart {
  readonly scales: Readonly<Record<string, number>>
  readonly lines: readonly { readonly name: string; readonly path: string }[]
}

/** A list for each chart: the upper edges of the layers, from the bottom, and the lines. */
export async function readChartLines(page: Page): Promise<ChartLine[][]> {
  const charts = await page.$$eval('svg.chart', (elements): RawChart[] =>
    elements.map((chart) => ({
      scales: Object.fromEntries(Object.entries((chart as SVGSVGElement).dataset).map(([name, value]) => [name, Number(value)])),
      lines: [...chart.querySelectorAll<SVGPathElement>('path[data-layer], path[data-line]')].map((path) => ({
        name: path.dataset['layer'] ?? path.dataset['line']!,
        path: path.getAttribute('d')!,
      })),
    })),
  )
  return charts.map(({ scales, lines }) => lines.map(({ name, path }) => lineOf(path, name, scales)))
}

function lineOf(path: string, name: string, scales: Readonly<Record<string, number>>): ChartLine {
  const kind = name === 'nodes' ? 'nodes' : 'pods'
  const [top, height, max] = [scales[`${kind}Top`]!, scales[`${kind}Height`]!, scales[`${kind}Max`]!]
  const toMs = (x: number) => ((x - scales['left']!) / scales['width']!) * scales['endMs']!
  const toValue = (y: number) => (1 - (y - top) / height) * max
  const points: { readonly fromMs: number; readonly value: number }[] = []
  let x = 0
  for (const [, command, first, second] of path.matchAll(/([MHV])(-?[\d.]+)(?:,(-?[\d.]+))?/g)) {
    if (command === 'H') x = Number(first)
    else {
      if (command === 'M') x = Number(first)
      points.push({ fromMs: toMs(x), value: toValue(Number(command === 'M' ? second : first)) })
    }
  }
  return {
    name,
    valueAt: (ms) => points.findLast(({ fromMs }) => fromMs <= ms)?.value ?? points[0]!.value,
    highestIn: (start, end) => Math.max(...points.filter(({ fromMs }) => fromMs >= start && fromMs <= end).map(({ value }) => value)),
  }
}
