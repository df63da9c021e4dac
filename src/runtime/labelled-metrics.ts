// Counters and histograms with labels, in the Prometheus text format. The metrics are defined by a table.

export interface CounterDefinition {
  readonly help: string
  readonly labels: readonly string[]
}

export interface HistogramDefinition extends CounterDefinition {
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
}

type Labels = Readonly<Record<string, string>>

interface Distribution {
  readonly counts: number[]
  count: number
  sum: number
}

/** A metric appears in the output once it has a value. */
export class LabelledMetrics<Counter extends string, Histogram extends string> {
  readonly #counters: Readonly<Record<Counter, CounterDefinition>>
  readonly #histograms: Readonly<Record<Histogram, HistogramDefinition>>
  readonly #counts = new Map<Counter, Map<string, number>>()
  readonly #distributions = new Map<Histogram, Map<string, Distribution>>()

  constructor(counters: Readonly<Record<Counter, CounterDefinition>>, histograms: Readonly<Record<Histogram, HistogramDefinition>>) {
    this.#counters = counters
    this.#histograms = histograms
  }

  count(name: Counter, labels: Labels, by = 1): void {
    const lines = lineMap(this.#counts, name)
    const key = labelText(this.#counters[name].labels, labels)
    lines.set(key, (lines.get(key) ?? 0) + by)
  }

  observe(name: Histogram, labels: Labels, value: number): void {
    const { labels: names, buckets } = this.#histograms[name]
    const lines = lineMap(this.#distributions, name)
    const key = labelText(names, labels)
    let distribution = lines.get(key)
    if (distribution === undefined) {
      distribution = { counts: buckets.map(() => 0), count: 0, sum: 0 }
      lines.set(key, distribution)
    }
    distribution.count++
    distribution.sum += value
    const bucket = buckets.findIndex((bound) => value <= bound)
    if (bucket >= 0) distribution.counts[bucket]!++
  }

  text(): string {
    let text = ''
    for (const [name, lines] of this.#counts) {
      text += `# HELP ${name} ${this.#counters[name].help}\n# TYPE ${name} counter\n`
      for (const [labels, value] of lines) text += `${name}{${labels}} ${value}\n`
    }
    for (const [name, lines] of this.#distributions) {
      const { help, buckets } = this.#histograms[name]
      text += `# HELP ${name} ${help}\n# TYPE ${name} histogram\n`
      for (const [labels, { counts, count, sum }] of lines) {
        let below = 0
        for (const [index, bound] of buckets.entries()) {
          below += counts[index]!
          text += `${name}_bucket{${labels},le="${bound}"} ${below}\n`
        }
        text += `${name}_bucket{${labels},le="+Inf"} ${count}\n${name}_sum{${labels}} ${sum}\n${name}_count{${labels}} ${count}\n`
      }
    }
    return text
  }
}

function lineMap<Name, Line>(maps: Map<Name, Map<string, Line>>, name: Name): Map<string, Line> {
  let lines = maps.get(name)
  if (lines === undefined) {
    lines = new Map()
    maps.set(name, lines)
  }
  return lines
}

/** All labels of the definition, in its order; values may contain any character. */
function labelText(names: readonly string[], labels: Labels): string {
  return names.map((name) => `${name}="${escaped(labels[name] ?? '')}"`).join(',')
}

const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
