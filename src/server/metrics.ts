// What /metrics tells. Counting is a few additions to plain maps; prom-client, which tells about the process, is only
// loaded when somebody asks.
import type { Registry } from 'prom-client'
import type { Kind } from '../api/machinery/kind.ts'

/** Which request it was. */
export interface RequestLabels {
  readonly verb: string
  readonly kind?: Kind
  readonly subresource?: string
  readonly scope?: string
  readonly dryRun?: boolean
}

const bucketSeconds = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60]

interface Durations {
  readonly labels: string
  readonly buckets: number[]
  sumSeconds: number
  count: number
  readonly codes: Map<number, number>
}

export interface Gauges {
  inFlight(): { readonly mutating: number; readonly readOnly: number }
  watches(): number
  /** How many objects of each resource are stored: `['pods', 3]`, `['deployments.apps', 1]`. */
  storedObjects(): Iterable<readonly [string, number]>
  /** What others in the process tell, in the same format. */
  others(): string
}

export class Metrics {
  readonly #gauges: Gauges
  readonly #byKind = new Map<Kind | undefined, Map<string, Durations>>()
  #registry: Promise<Registry> | undefined

  constructor(gauges: Gauges) {
    this.#gauges = gauges
  }

  countRequest(labels: RequestLabels, code: number, durationMs: number): void {
    let ofKind = this.#byKind.get(labels.kind)
    if (ofKind === undefined) {
      ofKind = new Map()
      this.#byKind.set(labels.kind, ofKind)
    }
    const key = `${labels.verb} ${labels.subresource ?? ''} ${labels.scope ?? ''} ${labels.dryRun ? 'All' : ''}`
    let durations = ofKind.get(key)
    if (durations === undefined) {
      durations = { labels: labelText(labels), buckets: bucketSeconds.map(() => 0), sumSeconds: 0, count: 0, codes: new Map() }
      ofKind.set(key, durations)
    }
    const seconds = durationMs / 1000
    durations.count++
    durations.sumSeconds += seconds
    let bucket = 0
    while (bucket < bucketSeconds.length && seconds > bucketSeconds[bucket]!) bucket++
    if (bucket < bucketSeconds.length) durations.buckets[bucket]!++
    durations.codes.set(code, (durations.codes.get(code) ?? 0) + 1)
  }

  /** In the text format of Prometheus. */
  async expose(): Promise<string> {
    this.#registry ??= loadRegistry()
    const registry = await this.#registry
    return `${this.#requests()}${this.#state()}${this.#gauges.others()}${await registry.metrics()}`
  }

  get contentType(): string {
    return 'text/plain; version=0.0.4; charset=utf-8'
  }

  #requests(): string {
    let totals = describe(
      'apiserver_request_total',
      'counter',
      'Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
    )
    let histogram = describe(
      'apiserver_request_duration_seconds',
      'histogram',
      'Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
    )
    for (const ofKind of this.#byKind.values()) {
      for (const { labels, buckets, sumSeconds, count, codes } of ofKind.values()) {
        for (const [code, times] of codes) totals += `apiserver_request_total{code="${code}",${labels}} ${times}\n`
        let below = 0
        bucketSeconds.forEach((bound, i) => {
          below += buckets[i]!
          histogram += `apiserver_request_duration_seconds_bucket{${labels},le="${bound}"} ${below}\n`
        })
        histogram += `apiserver_request_duration_seconds_bucket{${labels},le="+Inf"} ${count}\n`
        histogram += `apiserver_request_duration_seconds_sum{${labels}} ${sumSeconds}\n`
        histogram += `apiserver_request_duration_seconds_count{${labels}} ${count}\n`
      }
    }
    return totals + histogram
  }

  #state(): string {
    const { mutating, readOnly } = this.#gauges.inFlight()
    let text = describe('apiserver_current_inflight_requests', 'gauge', 'Number of requests that are being served.')
    text += `apiserver_current_inflight_requests{request_kind="mutating"} ${mutating}\n`
    text += `apiserver_current_inflight_requests{request_kind="readOnly"} ${readOnly}\n`
    text += describe('apiserver_longrunning_requests', 'gauge', 'Number of watches that are being served.')
    text += `apiserver_longrunning_requests{component="apiserver",verb="WATCH"} ${this.#gauges.watches()}\n`
    text += describe('apiserver_storage_objects', 'gauge', 'Number of stored objects of each resource.')
    for (const [resource, count] of this.#gauges.storedObjects()) text += `apiserver_storage_objects{resource="${resource}"} ${count}\n`
    return text
  }
}

const describe = (name: string, type: string, help: string) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

function labelText({ verb, kind, subresource = '', scope = '', dryRun }: RequestLabels): string {
  const resource = `group="${kind?.group ?? ''}",resource="${kind?.plural ?? ''}",scope="${scope}"`
  const rest = `subresource="${subresource}",verb="${verb}",version="${kind?.version ?? ''}"`
  return `component="apiserver",dry_run="${dryRun ? 'All' : ''}",${resource},${rest}`
}

async function loadRegistry(): Promise<Registry> {
  const { Registry, collectDefaultMetrics } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}
