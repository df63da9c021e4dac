// Metrics in the Prometheus text format. Every metric of the process is written by this file.
import { getOrAdd } from './maps.ts'

type Labels = Readonly<Record<string, string>>

export type MetricType = 'counter' | 'gauge' | 'histogram'

/** The lines that precede the samples of a metric. */
export function describeMetric(name: string, type: MetricType, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
}

/** A counter or gauge without labels. */
export function singleMetric(name: string, type: MetricType, help: string, value: number): string {
  return `${describeMetric(name, type, help)}${name} ${value}\n`
}

/** `result="failed",reason=""`: the named labels in that order. Values may contain any characters. */
export function encodeLabels(names: readonly string[], labels: Labels): string {
  return names.map((name) => `${name}="${escaped(labels[name] ?? '')}"`).join(',')
}

const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** One series of a histogram. */
export class Histogram {
  /** Upper bounds, ascending. */
  readonly #bounds: readonly number[]
  readonly #buckets: number[]
  #count = 0
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#buckets = bounds.map(() => 0)
  }

  observe(value: number): void {
    this.#count++
    this.#sum += value
    const bucket = this.#bounds.findIndex((bound) => value <= bound)
    if (bucket >= 0) this.#buckets[bucket]!++
  }

  /** `labels` are encoded. */
  text(name: string, labels: string): string {
    let lines = ''
    let below = 0
    for (const [index, bound] of this.#bounds.entries()) {
      below += this.#buckets[index]!
      lines += `${name}_bucket{${labels},le="${bound}"} ${below}\n`
    }
    return `${lines}${name}_bucket{${labels},le="+Inf"} ${this.#count}\n${name}_sum{${labels}} ${this.#sum}\n${name}_count{${labels}} ${this.#count}\n`
  }
}

interface CounterDefinition {
  readonly help: string
  readonly labels: readonly string[]
}

interface HistogramDefinition extends CounterDefinition {
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
}

/** Counters and histograms that are defined by a table. A metric appears in the output once it has a value. */
export class LabelledMetrics<CounterName extends string, HistogramName extends string> {
  readonly #counters: Readonly<Record<CounterName, CounterDefinition>>
  readonly #histograms: Readonly<Record<HistogramName, HistogramDefinition>>
  readonly #counts = new Map<CounterName, Map<string, number>>()
  readonly #distributions = new Map<HistogramName, Map<string, Histogram>>()

  constructor(
    counters: Readonly<Record<CounterName, CounterDefinition>>,
    histograms: Readonly<Record<HistogramName, HistogramDefinition>>,
  ) {
    this.#counters = counters
    this.#histograms = histograms
  }

  count(name: CounterName, labels: Labels, by = 1): void {
    const series = getOrAdd(this.#counts, name, () => new Map())
    const key = encodeLabels(this.#counters[name].labels, labels)
    series.set(key, (series.get(key) ?? 0) + by)
  }

  observe(name: HistogramName, labels: Labels, value: number): void {
    const { labels: names, buckets } = this.#histograms[name]
    const series = getOrAdd(this.#distributions, name, () => new Map())
    getOrAdd(series, encodeLabels(names, labels), () => new Histogram(buckets)).observe(value)
  }

  text(): string {
    let text = ''
    for (const [name, series] of this.#counts) {
      text += describeMetric(name, 'counter', this.#counters[name].help)
      for (const [labels, value] of series) text += `${name}{${labels}} ${value}\n`
    }
    for (const [name, series] of this.#distributions) {
      text += describeMetric(name, 'histogram', this.#histograms[name].help)
      for (const [labels, histogram] of series) text += histogram.text(name, labels)
    }
    return text
  }
}
