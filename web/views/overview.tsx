// All workloads, problems first.
import { useMemo, useState } from 'preact/hooks'
import type { OverviewView, WorkloadRow } from '../data/views.ts'
import { type WorkloadState, workloadStates } from '../data/workload-summary.ts'
import { formatAge } from '../format.ts'
import { hashOf, nodeHash } from '../route.ts'
import { Select } from './controls.tsx'
import { ConditionChip, CountTiles, namesOf, PodBar, RowList, StateBadge, stateNames, stateSigns, useNarrow } from './parts.tsx'

const rowHeight = 54
const narrowRowHeight = 92

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
    const lower = new Map(Object.entries(labels).map(([key, value]) => [key.toLowerCase(), value.toLowerCase()]))
    const pairs = text.split(',').map((pair) => pair.trim().split('='))
    return pairs.every(([key = '', value = '']) => lower.get(key.trim()) === value.trim())
  }
  return `${kind}/${name}`.toLowerCase().includes(text)
}

export function Overview({ view, nowMs }: { readonly view: OverviewView; readonly nowMs: number }) {
  const [filter, setFilter] = useState<Filter>({ namespace: '', text: '', state: '' })
  const set = (change: Partial<Filter>) => setFilter({ ...filter, ...change })
  const withoutState = useMemo(() => view.workloads.filter((row) => matches(row, { ...filter, state: '' })), [view, filter])
  const rows = filter.state === '' ? withoutState : withoutState.filter(({ state }) => state === filter.state)
  const isNarrow = useNarrow()
  const { lost, total } = view.nodes
  return (
    <section aria-labelledby="overview-title">
      <h1 id="overview-title">Workloads</h1>
      <div class="overview-head" data-testid="summary">
        <CountTiles counts={view.pods} />
        <a class={lost.length > 0 ? 'tile link bad' : 'tile link'} href={lost.length === 1 ? nodeHash(lost[0]!) : '#/nodes'}>
          <span class="figure">
            {total - lost.length}
            <small> / {total}</small>
          </span>
          <span class="caption" title={lost.join(', ')}>
            {lost.length === 0 ? 'nodes ready' : `nodes, lost: ${namesOf(lost)}`}
          </span>
        </a>
      </div>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <fieldset class="state-filter">
          <legend class="visually-hidden">State</legend>
          <button type="button" aria-pressed={filter.state === ''} onClick={() => set({ state: '' })}>
            All <span class="badge-count">{withoutState.length}</span>
          </button>
          {workloadStates.map((state) => {
            const count = withoutState.filter((row) => row.state === state).length
            return (
              <button
                type="button"
                key={state}
                class={`filter-${state}`}
                data-filter={state}
                disabled={count === 0 && filter.state !== state}
                aria-pressed={filter.state === state}
                onClick={() => set({ state: filter.state === state ? '' : state })}
              >
                <span aria-hidden="true">{stateSigns[state]}</span> {stateNames[state]} <span class="badge-count">{count}</span>
              </button>
            )
          })}
        </fieldset>
        <Select
          label="Namespace"
          value={filter.namespace}
          options={[['', 'all'], ...view.namespaces]}
          onChange={(namespace) => set({ namespace })}
        />
        <label class="grow">
          Name or label
          <input
            type="search"
            value={filter.text}
            placeholder="web, or app=web,tier=front"
            onInput={(event) => set({ text: event.currentTarget.value })}
          />
        </label>
      </form>
      <p class="visually-hidden" aria-live="polite">
        {rows.length} of {view.workloads.length} workloads shown
      </p>
      {rows.length === 0 ? (
        <Empty isFiltered={view.workloads.length > 0} onReset={() => setFilter({ namespace: '', text: '', state: '' })} />
      ) : (
        <RowList
          count={rows.length}
          rowHeight={isNarrow ? narrowRowHeight : rowHeight}
          label="Workloads"
          head={
            <div class="workload-row head" aria-hidden="true">
              <span>Workload</span>
              <span>State</span>
              <span>Conditions</span>
              <span>Pods</span>
              <span class="number">Ready</span>
              <span class="number">Changed</span>
            </div>
          }
          item={(index) => rows[index]}
          render={(row) => <OverviewRow row={row} nowMs={nowMs} />}
        />
      )}
    </section>
  )
}

const Empty = ({ isFiltered, onReset }: { readonly isFiltered: boolean; onReset(): void }) =>
  isFiltered ? (
    <div class="empty card">
      <p>No workload matches the filter.</p>
      <button type="button" onClick={onReset}>
        Show all
      </button>
    </div>
  ) : (
    <div class="empty card">
      <p>There is no workload yet. Create one, and watch it start:</p>
      <code>kubectl create deployment web --image=nginx --replicas=3</code>
    </div>
  )

const OverviewRow = ({ row, nowMs }: { readonly row: WorkloadRow; readonly nowMs: number }) => (
  <a class="workload-row" href={hashOf(row.key)} data-key={row.key} data-state={row.state}>
    <span class="who">
      <span class="name" title={row.name}>
        {row.name}
      </span>
      <span class="kind" title={row.namespace}>
        {row.kind} · {row.namespace}
      </span>
    </span>
    <span class="what">
      <StateBadge state={row.state} text={row.text} />
      {row.why !== '' && (
        <span class="why" title={row.why}>
          {row.why}
        </span>
      )}
    </span>
    <span class="chips">
      {row.conditions.slice(0, 3).map((condition) => (
        <ConditionChip key={condition.type} {...condition} />
      ))}
    </span>
    <PodBar counts={row} desired={row.desired} cap={row.cap} />
    <span class="numbers number" data-ready={row.ready} data-desired={row.desired} data-terminating={row.terminating}>
      {row.kind === 'CronJob' ? '–' : `${row.ready} / ${row.desired}`}
      {row.terminating > 0 && <span class="terminating-count">+{row.terminating} terminating</span>}
    </span>
    <span class="age number" title="since the last change">
      {formatAge(nowMs - row.changedMs)}
    </span>
  </a>
)
