// The metrics of the pacer about pods and evictions that wait.
import type { Pacer } from '../../controllers/pacer/pacer.ts'

export function pacerMetrics(pacer: Pacer | undefined, nowMs: number): string {
  const waitingPods: string[] = []
  const waitSeconds: string[] = []
  for (const [workload, { waiting }] of pacer?.waits ?? []) {
    const labels = labelsOf(workload)
    const oldest = Math.min(...waiting.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '') || nowMs))
    waitingPods.push(`{${labels}} ${waiting.length}`)
    waitSeconds.push(`{${labels}} ${Math.max(0, (nowMs - oldest) / 1000)}`)
  }
  const evictions: string[] = []
  const evictionSeconds: string[] = []
  for (const [workload, waiting] of pacer?.evictions ?? []) {
    const labels = labelsOf(workload)
    for (const state of ['queued', 'replacing'])
      evictions.push(`{${labels},state="${state}"} ${waiting.filter(({ isReplacing }) => isReplacing === (state === 'replacing')).length}`)
    evictionSeconds.push(`{${labels}} ${Math.max(0, (nowMs - Math.min(...waiting.map(({ requestedMs }) => requestedMs))) / 1000)}`)
  }
  const answers = [...(pacer?.answered ?? [])].map(([reason, count]) => `{reason="${reason}"} ${count}`)
  const bypassed = (pacer?.bypassed() ?? []).map((workload) => `{${labelsOf(workload)}} 1`)
  return [
    metric('waiting_pods', 'gauge', 'Pods whose scheduling gate the pacer has not removed yet.', waitingPods),
    metric('wait_seconds', 'gauge', 'How long the longest waiting pod has waited.', waitSeconds),
    metric('waiting_evictions', 'gauge', 'Evictions that wait until their pods are replaced, by state.', evictions),
    metric('eviction_wait_seconds', 'gauge', 'How long the longest waiting eviction has waited.', evictionSeconds),
    metric('evictions_total', 'counter', 'Evictions that may pass, by the reason: Replaced, NotNeeded or TimedOut.', answers),
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
