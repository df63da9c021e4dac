// The metrics about evictions that wait until their pods are replaced.
import { describeMetric, encodeLabels } from '../base/metrics.ts'
import type { WaitingEviction } from '../controllers/eviction/plan/evictions.ts'

interface Evictions {
  /** By the key of their Deployment. */
  readonly waiting: ReadonlyMap<string, readonly WaitingEviction[]>
  readonly answered: ReadonlyMap<string, number>
}

/** `prefix`: `rollcall` for the controllers, `rollcall_pacer` for the pacer. */
export function evictionMetrics(prefix: string, { waiting, answered }: Evictions, nowMs: number): string {
  const evictions: string[] = []
  const seconds: string[] = []
  for (const [key, pods] of waiting) {
    const [namespace = '', name = ''] = key.split('/')
    const labels = encodeLabels(['kind', 'namespace', 'name'], { kind: 'Deployment', namespace, name })
    for (const state of ['queued', 'replacing'])
      evictions.push(`{${labels},state="${state}"} ${pods.filter(({ isReplacing }) => isReplacing === (state === 'replacing')).length}`)
    seconds.push(`{${labels}} ${Math.max(0, (nowMs - Math.min(...pods.map(({ requestedMs }) => requestedMs))) / 1000)}`)
  }
  const answers = [...answered].map(([reason, count]) => `{${encodeLabels(['reason'], { reason })}} ${count}`)
  const metric = (name: string, type: 'gauge' | 'counter', help: string, samples: readonly string[]) =>
    `${describeMetric(`${prefix}_${name}`, type, help)}${samples.map((sample) => `${prefix}_${name}${sample}\n`).join('')}`
  return [
    metric('waiting_evictions', 'gauge', 'Evictions that wait until their pods are replaced, by state.', evictions),
    metric('eviction_wait_seconds', 'gauge', 'How long the longest waiting eviction has waited.', seconds),
    metric('evictions_total', 'counter', 'Evictions that may pass, by the reason: Replaced, NotNeeded or TimedOut.', answers),
  ].join('')
}
