// The metrics of the API server and of its process, under the names of Kubernetes and of the Prometheus client libraries.

import { readdirSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import type { Kind } from '../api/machinery/kind.ts'
import { realClock } from '../base/clock.ts'
import { getOrAdd } from '../base/maps.ts'
import { describeMetric, encodeLabels, Histogram, singleMetric } from '../base/metrics.ts'

interface RequestLabels {
  readonly verb: string
  readonly kind?: Kind
  readonly subresource?: string
  readonly scope?: string
  readonly dryRun?: boolean
}

const bucketSeconds = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60]

/** The requests with the same labels. */
interface RequestSeries {
  readonly labels: string
  readonly durations: Histogram
  readonly codes: Map<number, number>
}

interface Gauges {
  inFlight(): { readonly mutating: number; readonly readOnly: number }
  watches(): number
  /** How many objects of each resource are stored: `['pods', 3]`, `['deployments.apps', 1]`. */
  storedObjects(): Iterable<readonly [string, number]>
  /** The metrics of other components, in the same format. */
  others(): string
}

export class Metrics {
  readonly #gauges: Gauges
  readonly #byKind = new Map<Kind | undefined, Map<string, RequestSeries>>()

  constructor(gauges: Gauges) {
    this.#gauges = gauges
  }

  countRequest(labels: RequestLabels, code: number, durationMs: number): void {
    const ofKind = getOrAdd(this.#byKind, labels.kind, () => new Map<string, RequestSeries>())
    const key = `${labels.verb} ${labels.subresource ?? ''} ${labels.scope ?? ''} ${labels.dryRun ? 'All' : ''}`
    const makeSeries = () => ({ labels: labelsOf(labels), durations: new Histogram(bucketSeconds), codes: new Map() })
    const series = getOrAdd(ofKind, key, makeSeries)
    series.durations.observe(durationMs / 1000)
    series.codes.set(code, (series.codes.get(code) ?? 0) + 1)
  }

  /** In the Prometheus text format. */
  text(): string {
    return `${this.#requests()}${this.#state()}${this.#gauges.others()}${processMetrics()}`
  }

  get contentType(): string {
    return 'text/plain; version=0.0.4; charset=utf-8'
  }

  #requests(): string {
    let totals = describeMetric(
      'apiserver_request_total',
      'counter',
      'Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
    )
    let histograms = describeMetric(
      'apiserver_request_duration_seconds',
      'histogram',
      'Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
    )
    for (const ofKind of this.#byKind.values()) {
      for (const { labels, durations, codes } of ofKind.values()) {
        for (const [code, count] of codes) totals += `apiserver_request_total{code="${code}",${labels}} ${count}\n`
        histograms += durations.text('apiserver_request_duration_seconds', labels)
      }
    }
    return totals + histograms
  }

  #state(): string {
    const { mutating, readOnly } = this.#gauges.inFlight()
    let text = describeMetric('apiserver_current_inflight_requests', 'gauge', 'Number of requests that are being served.')
    text += `apiserver_current_inflight_requests{request_kind="mutating"} ${mutating}\n`
    text += `apiserver_current_inflight_requests{request_kind="readOnly"} ${readOnly}\n`
    text += describeMetric('apiserver_longrunning_requests', 'gauge', 'Number of watches that are being served.')
    text += `apiserver_longrunning_requests{component="apiserver",verb="WATCH"} ${this.#gauges.watches()}\n`
    text += describeMetric('apiserver_storage_objects', 'gauge', 'Number of stored objects of each resource.')
    for (const [resource, count] of this.#gauges.storedObjects()) text += `apiserver_storage_objects{resource="${resource}"} ${count}\n`
    return text
  }
}

const labelNames = ['component', 'dry_run', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'] as const

function labelsOf({ verb, kind, subresource = '', scope = '', dryRun }: RequestLabels): string {
  return encodeLabels(labelNames, {
    component: 'apiserver',
    dry_run: dryRun ? 'All' : '',
    group: kind?.group ?? '',
    resource: kind?.plural ?? '',
    scope,
    subresource,
    verb,
    version: kind?.version ?? '',
  })
}

function processMetrics(): string {
  const { user, system } = process.cpuUsage()
  const { rss, external } = process.memoryUsage()
  const { used_heap_size: usedBytes, total_heap_size: totalBytes } = getHeapStatistics()
  return [
    singleMetric('process_cpu_seconds_total', 'counter', 'Total user and system CPU time spent in seconds.', (user + system) / 1e6),
    singleMetric('process_resident_memory_bytes', 'gauge', 'Resident memory size in bytes.', rss),
    singleMetric('process_start_time_seconds', 'gauge', 'Start time of the process since unix epoch in seconds.', startSeconds),
    openFiles(),
    singleMetric('nodejs_heap_size_total_bytes', 'gauge', 'Process heap size from Node.js in bytes.', totalBytes),
    singleMetric('nodejs_heap_size_used_bytes', 'gauge', 'Process heap size used from Node.js in bytes.', usedBytes),
    singleMetric('nodejs_external_memory_bytes', 'gauge', 'Node.js external memory size in bytes.', external),
  ].join('')
}

const startSeconds = Math.round(realClock.now() / 1000 - process.uptime())

/** Empty on systems without /proc. */
function openFiles(): string {
  try {
    return singleMetric('process_open_fds', 'gauge', 'Number of open file descriptors.', readdirSync('/proc/self/fd').length)
  } catch {
    return ''
  }
}
