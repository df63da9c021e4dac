// One workload: its pods over time, what it waits for, its pods, revisions, conditions and events.
import { useState } from 'preact/hooks'
import { PodChart } from '../chart/pod-chart.tsx'
import type { PodRow, WorkloadView } from '../data/views.ts'
import { formatAge, formatClock } from '../format.ts'
import { describeCounts, RowList, StateBadge } from './parts.tsx'
import { SaveReport } from './save-report.tsx'
import { WhatIf } from './what-if.tsx'

const rowHeight = 34

export function WorkloadPage(props: {
  readonly view: WorkloadView
  readonly name: string
  onWindow(from: number, to: number): void
  readonly isRollcall: boolean
}) {
  const { view, name, onWindow, isRollcall } = props
  const [isAsking, setAsking] = useState(false)
  const { row } = view
  if (row === undefined)
    return (
      <section>
        <h1>{name}</h1>
        <p class="empty">
          This workload does not exist, or not any more. <a href="#/">All workloads</a>
        </p>
      </section>
    )
  return (
    <section aria-labelledby="workload-title">
      <nav class="crumbs">
        <a href="#/">Workloads</a>
      </nav>
      <header class="workload-header">
        <h1 id="workload-title">
          {row.name}{' '}
          <small>
            {row.kind} · {row.namespace}
          </small>
        </h1>
        <StateBadge state={row.state} text={row.text} />
      </header>
      <p class="summary" data-testid="counts">
        {describeCounts(row, row.desired)}; cap {row.cap}
      </p>
      <p class="waits-for" data-testid="waits-for" aria-live="polite">
        {view.waitsFor}
      </p>
      <PodChart history={view.history} startMs={view.history.startMs} marks={view.marks} label={`Pods of ${row.name} over time`} />
      <div class="actions">
        <SaveReport view={view} />
        {isRollcall && ['Deployment', 'StatefulSet', 'DaemonSet'].includes(row.kind) && (
          <button type="button" aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
            Simulate a change …
          </button>
        )}
      </div>
      {isAsking && <WhatIf view={view} />}

      <h2>Pods</h2>
      <RowList
        count={view.podCount}
        rowHeight={rowHeight}
        label="Pods"
        item={(index) => view.pods[index - view.podsFrom]}
        render={(pod) => <PodLine pod={pod} nowMs={view.nowMs} />}
        onWindow={onWindow}
      />

      <h2>Revisions</h2>
      <ul class="revisions">
        {view.revisions.map(({ revision, name: revisionName, isCurrent, images, createdMs, pods, differences }) => (
          <li key={revisionName}>
            <strong>Revision {revision}</strong>
            {isCurrent && ' (current)'} · {images.join(', ')} · {formatAge(view.nowMs - createdMs)} · {describeCounts(pods)}
            {differences.length > 0 && (
              <details>
                <summary>
                  {differences.length === 1 ? '1 difference' : `${differences.length} differences`} from the revision before
                </summary>
                <dl class="differences">
                  {differences.map(({ path, before, after }) => (
                    <div key={path}>
                      <dt>{path}</dt>
                      <dd>
                        <del>{before || 'not set'}</del> → <ins>{after || 'not set'}</ins>
                      </dd>
                    </div>
                  ))}
                </dl>
              </details>
            )}
          </li>
        ))}
      </ul>

      <h2>Conditions</h2>
      <dl class="conditions">
        {view.conditions.map(({ type, status, reason = '', message = '' }) => (
          <div key={type}>
            <dt>
              {type}: {status}
            </dt>
            <dd>
              {reason} {message && `– ${message}`}
            </dd>
          </div>
        ))}
      </dl>

      <h2>What happened</h2>
      <ol class="marks" data-testid="marks">
        {view.marks
          .slice(-100)
          .reverse()
          .map(({ atMs, type, isWarning, object, text }, index) => (
            <li key={`${atMs} ${index}`} class={isWarning ? 'warning' : ''}>
              <time dateTime={new Date(atMs).toISOString()}>{formatClock(atMs)}</time>
              <span aria-hidden="true">{type === 'condition' ? '◆' : '|'}</span> {object}:{' '}
              {isWarning && <span class="visually-hidden">Warning: </span>}
              {text}
            </li>
          ))}
      </ol>
    </section>
  )
}

function PodLine({ pod, nowMs }: { readonly pod: PodRow; readonly nowMs: number }) {
  const { name, state, revision, node, createdMs, reason, restarts, terminating } = pod
  return (
    <div class="pod-row" data-pod={name} data-state={state}>
      <span class="name" title={name}>
        {name}
      </span>
      <span class={`pod-state ${state}`}>{state}</span>
      <span class="revision">rev {revision}</span>
      <span class="node">{node || '–'}</span>
      <span class="age">{formatAge(nowMs - createdMs)}</span>
      <span class="reason" title={reason}>
        {terminating !== undefined && (
          <progress
            max={Math.max(1, terminating.graceMs)}
            value={Math.min(terminating.forMs, terminating.graceMs)}
            aria-label="termination, of its grace period"
          />
        )}
        {reason}
        {restarts > 0 && ` · ${restarts} restarts`}
      </span>
    </div>
  )
}
