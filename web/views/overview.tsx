// All workloads, problems first.
import { useMemo, useState } from 'preact/hooks'
import type { OverviewView, WorkloadRow } from '../data/views.ts'
import { type WorkloadState, workloadStates } from '../data/workload-summary.ts'
import { formatAge } from '../format.ts'
import { hashOf } from '../route.ts'
import { describeCounts, PodBar, RowList, StateBadge } from './parts.tsx'

const rowHeight = 46

interface Filter {
  readonly namespace: string
  readonly text: string
  readonly state: WorkloadState | ''
}

/** `text` is part of a name or kind, or labels such as `app=web,tier=front`. */
export function matches({ namespace, name, kind, state, labels }: WorkloadRow, filter: Filter): boolean {
  if (filter.namespace !== '' && filter.namespace !== namespace) return false
  if (filter.state !== '' && filter.state !== state) return false
  const text = filter.text.trim().toLowerCase()
  if (text === '') return true
  if (text.includes('=')) {
    const pairs = text.split(',').map((pair) => pair.trim().split('='))
    return pairs.every(([key = '', value = '']) => labels[key]?.toLowerCase() === value)
  }
  return `${kind}/${name}`.toLowerCase().includes(text)
}

export function Overview({ view, nowMs }: { readonly view: OverviewView; readonly nowMs: number }) {
  const [filter, setFilter] = useState<Filter>({ namespace: '', text: '', state: '' })
  const rows = useMemo(() => view.workloads.filter((row) => matches(row, filter)), [view, filter])
  const set = (change: Partial<Filter>) => setFilter({ ...filter, ...change })
  return (
    <section aria-labelledby="overview-title">
      <h1 id="overview-title">Workloads</h1>
      <p class="summary" data-testid="summary">
        {view.nodes.ready} of {view.nodes.total} nodes ready; pods: {describeCounts(view.pods)}
      </p>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Namespace
          <select value={filter.namespace} onChange={(event) => set({ namespace: event.currentTarget.value })}>
            <option value="">all</option>
            {view.namespaces.map((name) => (
              <option value={name} key={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          State
          <select value={filter.state} onChange={(event) => set({ state: event.currentTarget.value as WorkloadState | '' })}>
            <option value="">all</option>
            {workloadStates.map((state) => (
              <option value={state} key={state}>
                {state}
              </option>
            ))}
          </select>
        </label>
        <label>
          Name or label
          <input
            type="search"
            value={filter.text}
            placeholder="web, or app=web"
            onInput={(event) => set({ text: event.currentTarget.value })}
          />
        </label>
        <span class="count" aria-live="polite">
          {rows.length} of {view.workloads.length}
        </span>
      </form>
      {rows.length === 0 ? (
        <p class="empty">
          {view.workloads.length === 0 ? 'There is no workload yet. Create one with kubectl create deployment.' : 'No workload matches.'}
        </p>
      ) : (
        <RowList
          count={rows.length}
          rowHeight={rowHeight}
          label="Workloads"
          item={(index) => rows[index]}
          render={(row) => <OverviewRow row={row} nowMs={nowMs} />}
        />
      )}
    </section>
  )
}

const OverviewRow = ({ row, nowMs }: { readonly row: WorkloadRow; readonly nowMs: number }) => (
  <a class="workload-row" href={hashOf(row.key)} data-key={row.key}>
    <span class="who">
      <span class="name">{row.name}</span>
      <span class="kind">
        {row.kind} · {row.namespace}
      </span>
    </span>
    <StateBadge state={row.state} text={row.text} />
    <PodBar counts={row} desired={row.desired} cap={row.cap} />
    <span class="numbers" data-ready={row.ready} data-desired={row.desired} data-terminating={row.terminating}>
      {row.ready}/{row.desired}
      {row.terminating > 0 && <span class="terminating-count"> +{row.terminating} terminating</span>}
    </span>
    <span class="age" title="since the last change">
      {formatAge(nowMs - row.changedMs)}
    </span>
  </a>
)
