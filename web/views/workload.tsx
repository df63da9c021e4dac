// One workload: its pods over time, what it waits for, its pods, revisions, conditions and events.
import { useState } from 'preact/hooks'
import { PodChart } from '../chart/pod-chart.tsx'
import { restart, rolledOut, undo } from '../data/rollout-actions.ts'
import type { MarkRow, RevisionRow, WorkloadView } from '../data/views.ts'
import type { ConditionRow } from '../data/workload-summary.ts'
import { formatAge, formatClock } from '../format.ts'
import { Comparison } from './comparison.tsx'
import { Confirmation, ObjectDialog } from './dialogs.tsx'
import { Explanation } from './explanation.tsx'
import { ConditionChip, CountTiles, describeCounts, StateBadge } from './parts.tsx'
import { PodList } from './pod-list.tsx'
import { SaveReport } from './save-report.tsx'
import { WhatIf } from './what-if.tsx'

export function WorkloadPage(props: {
  readonly view: WorkloadView
  readonly name: string
  onWindow(from: number, to: number): void
  readonly isRollcall: boolean
}) {
  const { view, name, onWindow, isRollcall } = props
  const [shown, setShown] = useState<'what-if' | 'comparison' | undefined>()
  const [dialog, setDialog] = useState<'yaml' | 'restart' | RevisionRow>()
  const close = () => setDialog(undefined)
  const { row } = view
  const toggle = (one: 'what-if' | 'comparison') => () => setShown(shown === one ? undefined : one)
  if (row === undefined)
    return (
      <section>
        <nav class="crumbs" aria-label="Path">
          <a href="#/">Workloads</a>
        </nav>
        <h1>{name.split('/').at(-1)}</h1>
        <div class="empty card">
          <p>
            {name} does not exist, or not any more. <a href="#/">Show all workloads</a>
          </p>
        </div>
      </section>
    )
  return (
    <section aria-labelledby="workload-title">
      <nav class="crumbs" aria-label="Path">
        <a href="#/">Workloads</a>
        <span aria-hidden="true"> / </span>
        <span>{row.namespace}</span>
      </nav>
      <header class="page-header">
        <h1 id="workload-title">
          {row.name} <small>{row.kind}</small>
        </h1>
        <StateBadge state={row.state} text={row.text} />
        {row.why !== '' && <span class="why">{row.why}</span>}
      </header>
      <p class="visually-hidden" data-testid="counts">
        {describeCounts(row, row.desired)}; cap {row.cap}
      </p>
      <CountTiles counts={row} desired={row.desired} {...(row.kind !== 'CronJob' && { cap: row.cap })} />
      <p class="waits-for" data-testid="waits-for" aria-live="polite">
        {view.waitsFor}
      </p>
      <Explanation row={row} nowMs={view.nowMs} />
      <PodChart history={view.history} startMs={view.history.startMs} marks={view.marks} label={`Pods of ${row.name} over time`} />
      <div class="actions">
        <SaveReport view={view} />
        {rolledOut.includes(row.kind) && (
          <>
            <button type="button" aria-expanded={shown === 'comparison'} onClick={toggle('comparison')}>
              Compare with its simulation
            </button>
            <button type="button" aria-expanded={shown === 'what-if'} onClick={toggle('what-if')}>
              Simulate a change …
            </button>
            <button type="button" onClick={() => setDialog('restart')}>
              Restart …
            </button>
          </>
        )}
        <button type="button" onClick={() => setDialog('yaml')}>
          YAML
        </button>
      </div>
      {dialog === 'yaml' && <ObjectDialog object={row} onClose={close} />}
      {dialog === 'restart' && (
        <Confirmation
          title={`Restart ${row.name}?`}
          text={`A rollout replaces all pods of ${row.kind} ${row.namespace}/${row.name} (${describeCounts(row, row.desired)}), as kubectl rollout restart does.`}
          action="Restart"
          run={() => restart(row, view.nowMs)}
          onClose={close}
        />
      )}
      {typeof dialog === 'object' && (
        <Confirmation
          title={`Undo to revision ${dialog.revision}?`}
          text={`A rollout replaces the pods of ${row.kind} ${row.namespace}/${row.name} by pods of revision ${dialog.revision} (${dialog.images.join(', ')}), as kubectl rollout undo does.`}
          action="Undo"
          run={() => undo(row, dialog.name)}
          onClose={close}
        />
      )}
      {shown === 'what-if' && <WhatIf view={view} />}
      {shown === 'comparison' && <Comparison view={view} />}

      <h2>
        Pods <small>{view.podCount}</small>
      </h2>
      {view.podCount === 0 ? (
        <p class="empty">There is no pod.</p>
      ) : (
        <PodList view={view} label="Pods" maxRows={12} isRollcall={isRollcall} onWindow={onWindow} />
      )}
      <div class="columns">
        <Revisions revisions={view.revisions} nowMs={view.nowMs} onUndo={setDialog} />
        <Conditions conditions={view.conditions} nowMs={view.nowMs} />
      </div>
      <Marks marks={view.marks} />
    </section>
  )
}

interface RevisionsProps {
  readonly revisions: readonly RevisionRow[]
  readonly nowMs: number
  onUndo(revision: RevisionRow): void
}

const Revisions = ({ revisions, nowMs, onUndo }: RevisionsProps) => (
  <section aria-labelledby="revisions-title">
    <h2 id="revisions-title">Revisions</h2>
    {revisions.length === 0 ? (
      <p class="empty">Workloads of this kind have no revisions.</p>
    ) : (
      <ol class="revisions card">
        {revisions.map((row) => {
          const { revision, name, isCurrent, images, createdMs, pods, differences } = row
          return (
            <li key={name} data-revision={revision}>
              <p class="revision-line">
                <strong>Revision {revision}</strong>
                {isCurrent && <span class="chip good">current</span>}
                <span class="age">{formatAge(nowMs - createdMs)} old</span>
                {!isCurrent && (
                  <button type="button" class="small" onClick={() => onUndo(row)}>
                    Undo to it …
                  </button>
                )}
              </p>
              <p class="image">{images.join(', ')}</p>
              <p class="soft">{describeCounts(pods)}</p>
              {differences.length > 0 && (
                <details open={isCurrent}>
                  <summary>
                    {differences.length === 1 ? '1 difference' : `${differences.length} differences`} from the revision before
                  </summary>
                  <dl class="differences">
                    {differences.map(({ path, before, after }) => (
                      <div key={path}>
                        <dt>{path}</dt>
                        <dd>
                          <del>
                            <span class="visually-hidden">before: </span>
                            {before || 'not set'}
                          </del>
                          <ins>
                            <span class="visually-hidden">after: </span>
                            {after || 'not set'}
                          </ins>
                        </dd>
                      </div>
                    ))}
                  </dl>
                </details>
              )}
            </li>
          )
        })}
      </ol>
    )}
  </section>
)

const Conditions = ({ conditions, nowMs }: { readonly conditions: readonly ConditionRow[]; readonly nowMs: number }) => (
  <section aria-labelledby="conditions-title">
    <h2 id="conditions-title">Conditions</h2>
    {conditions.length === 0 ? (
      <p class="empty">It has no conditions.</p>
    ) : (
      <dl class="conditions card">
        {conditions.map((condition) => (
          <div key={condition.type}>
            <dt>
              <ConditionChip {...condition} />
              <span class="age">
                {condition.isDerived
                  ? 'computed by this page'
                  : condition.lastTransitionTime !== undefined && `for ${formatAge(nowMs - Date.parse(condition.lastTransitionTime))}`}
              </span>
            </dt>
            <dd>
              {condition.reason}
              {condition.message && `: ${condition.message}`}
            </dd>
          </div>
        ))}
      </dl>
    )}
  </section>
)

/** The maximum number in the document. The chart has all of them. */
const maxMarks = 60

const Marks = ({ marks }: { readonly marks: readonly MarkRow[] }) => (
  <>
    <h2>What happened</h2>
    {marks.length === 0 ? (
      <p class="empty">No event was seen, and no condition has changed.</p>
    ) : (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable list has to be reachable by keyboard
      <ol class="marks card" data-testid="marks" tabIndex={0}>
        {marks
          .slice(-maxMarks)
          .reverse()
          .map(({ atMs, type, isWarning, object, text }) => (
            <li key={`${atMs} ${object} ${text}`} class={isWarning ? 'warning' : ''}>
              <time dateTime={new Date(atMs).toISOString()}>{formatClock(atMs)}</time>
              <span class="mark-sign" aria-hidden="true">
                {type === 'condition' ? '◆' : '|'}
              </span>
              <span>
                {isWarning && <span class="visually-hidden">Warning: </span>}
                <span class="mark-object">{object}</span> {text}
              </span>
            </li>
          ))}
      </ol>
    )}
  </>
)
