// The metrics of the pacer about pods and evictions that wait.

import { EvictionCounts } from '../../controllers/eviction/eviction-counts.ts'
import type { Pacer } from '../../controllers/pacer/pacer.ts'
import { evictionMetrics } from '../eviction-metrics.ts'

const noEvictions = new EvictionCounts()

export function pacerMetrics(pacer: Pacer | undefined, nowMs: number): string {
  const waitingPods: string[] = []
  const waitSeconds: string[] = []
  for (const [workload, { waiting }] of pacer?.waits ?? []) {
    const labels = labelsOf(workload)
    const oldest = Math.min(...waiting.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '') || nowMs))
    waitingPods.push(`{${labels}} ${waiting.length}`)
    waitSeconds.push(`{${labels}} ${Math.max(0, (nowMs - oldest) / 1000)}`)
  }
  const bypassed = (pacer?.bypassed() ?? []).map((workload) => `{${labelsOf(workload)}} 1`)
  return [
    metric('waiting_pods', 'gauge', 'Pods whose scheduling gate the pacer has not removed yet.', waitingPods),
    metric('wait_seconds', 'gauge', 'How long the longest waiting pod has waited.', waitSeconds),
    evictionMetrics('rollcall_pacer', pacer?.evictions ?? noEvictions, nowMs),
    metric('bypassed_workloads', 'gauge', 'Workloads that opted in, and whose new pods arrive without the gate.', bypassed),
  ].join('')
}

/** Of `Deployment default/web`. */
function labelsOf(workload: string): string {
  const [kind = '', key = ''] = workload.split(' ')
  const [namespace = '', name = ''] = key.split('/')
  return `kind="${kind}",namespace="${namespace}",name="${name}"`
}

function metric(name: string, type: 'gauge' | 'counter', help: string, samples: readonly string[]): string {
  const full = `rollcall_pacer_${name}`
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${samples.map((sample) => `${full}${sample}\n`).join('')}`
}
