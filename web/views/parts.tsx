// Small parts that several pages use.
import { Component, type ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type PodCounts, podStates } from '../data/pod-summary.ts'
import type { ConditionRow, WorkloadState } from '../data/workload-summary.ts'

export const stateSigns: Readonly<Record<WorkloadState, string>> = {
  problem: '✕',
  waiting: '◷',
  progressing: '↻',
  running: '▶',
  operational: '✓',
  idle: '–',
}
export const stateNames: Readonly<Record<WorkloadState, string>> = {
  problem: 'Problem',
  waiting: 'Waiting',
  progressing: 'Progressing',
  running: 'Running',
  operational: 'Operational',
  idle: 'Idle',
}

/** A sign and a word: the state is readable without colour. */
export const StateBadge = ({ state, text }: { readonly state: WorkloadState; readonly text: string }) => (
  <span class={`badge ${state}`}>
    <span class="sign" aria-hidden="true">
      {stateSigns[state]}
    </span>
    {state === 'problem' && <span class="visually-hidden">Problem: </span>}
    <span class="badge-text">{text}</span>
  </span>
)

/** Conditions that are bad or neutral when they are true; the others are good then. */
const isNegative = (type: string) => /^(ReplicaFailure|Failed|FailureTarget|Waiting|Suspended)$|(Pressure|Unavailable)$/.test(type)
const isBad = ({ type, status }: Pick<ConditionRow, 'type' | 'status'>) => status !== (isNegative(type) ? 'False' : 'True')
const isNeutral = ({ type, status }: Pick<ConditionRow, 'type' | 'status'>) =>
  (type === 'Running' && status === 'False') || ((type === 'Waiting' || type === 'Suspended') && status === 'True')

type Chip = Pick<ConditionRow, 'type' | 'status' | 'isDerived'> & { readonly title?: string }

export const ConditionChip = ({ type, status, isDerived, title }: Chip) => (
  <span
    class={`chip ${isNeutral({ type, status }) ? 'neutral' : isBad({ type, status }) ? 'bad' : 'good'}`}
    data-condition={type}
    data-status={status}
    title={title ?? `${type} is ${status}${isDerived ? ', as this page computes it: the cluster does not report it' : ''}`}
  >
    <span aria-hidden="true">{status === 'True' ? '●' : status === 'False' ? '○' : '?'}</span> {type}
    <span class="visually-hidden"> is {status}</span>
  </span>
)

export const describeCounts = (counts: PodCounts, desired?: number): string =>
  podStates
    .filter((state) => state === 'ready' || counts[state] > 0)
    .map((state) => (state === 'ready' && desired !== undefined ? `${counts.ready} of ${desired} ready` : `${counts[state]} ${state}`))
    .join(', ')

/** The first names of a list, and how many more there are. */
export const namesOf = (names: readonly string[], shown = 2): string =>
  `${names.slice(0, shown).join(', ')}${names.length > shown ? ` and ${names.length - shown} more` : ''}`

export const totalOf = (counts: PodCounts): number => podStates.reduce((sum, state) => sum + counts[state], 0)

/** Pods by state as a bar. Its full width is the largest of the number of pods, the desired number and the cap. */
export function PodBar({ counts, desired, cap }: { readonly counts: PodCounts; readonly desired?: number; readonly cap?: number }) {
  const size = Math.max(totalOf(counts), cap ?? 0, desired ?? 0, 1)
  return (
    <span class="pod-bar" role="img" aria-label={describeCounts(counts, desired)} title={describeCounts(counts, desired)}>
      {podStates.map(
        (state) => counts[state] > 0 && <span key={state} class={`part ${state}`} style={{ width: `${(counts[state] / size) * 100}%` }} />,
      )}
      {desired !== undefined && desired > 0 && desired < size && <span class="desired" style={{ left: `${(desired / size) * 100}%` }} />}
    </span>
  )
}

/** Numbers of pods by state, as large figures that are also the legend of the bars. */
export const CountTiles = ({ counts, desired, cap }: { readonly counts: PodCounts; readonly desired?: number; readonly cap?: number }) => (
  <ul class="tiles">
    {podStates
      .filter((state) => (state !== 'waiting' && state !== 'lost') || counts[state] > 0)
      .map((state) => (
        <li key={state} class={counts[state] === 0 ? 'tile zero' : 'tile'} data-tile={state} data-count={counts[state]}>
          <span class="figure">
            {counts[state]}
            {state === 'ready' && desired !== undefined && <small> / {desired}</small>}
          </span>
          <span class="caption">
            <span class={`part key ${state}`} aria-hidden="true" /> {state}
          </span>
        </li>
      ))}
    {cap !== undefined && (
      <li class="tile" data-tile="cap" data-count={cap}>
        <span class="figure">{cap}</span>
        <span class="caption">
          <span class="swatch cap" aria-hidden="true" />
          cap
        </span>
      </li>
    )}
  </ul>
)

interface MeterProps {
  readonly label: string
  readonly used: number
  readonly size: number
  readonly text: string
  readonly title?: string
}

export const Meter = ({ label, used, size, text, title }: MeterProps) => (
  <span class="metered" title={title}>
    <span class="meter-text">
      <span class="meter-label">{label}</span> {text}
    </span>
    <span class="meter" aria-hidden="true">
      <span class={used > size ? 'fill over' : 'fill'} style={{ width: `${Math.min(100, size > 0 ? (used / size) * 100 : 0)}%` }} />
    </span>
  </span>
)

const narrow = '(max-width: 720px)'

/** Whether the screen is that of a phone, where rows have two lines. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrow).matches)
  useEffect(() => {
    const query = matchMedia(narrow)
    const read = () => setNarrow(query.matches)
    query.addEventListener('change', read)
    return () => query.removeEventListener('change', read)
  }, [])
  return isNarrow
}

/** The content of a row. While a list scrolls, rows that stay are not rendered again: their items are the same. */
class RowContent<T> extends Component<{ readonly item: T; readonly index: number; render(item: T, index: number): ComponentChildren }> {
  override shouldComponentUpdate({ item, index }: { readonly item: T; readonly index: number }): boolean {
    return item !== this.props.item || index !== this.props.index
  }

  override render() {
    return <>{this.props.render(this.props.item, this.props.index)}</>
  }
}

/** The window moves by this many rows at a time, so that most frames of a scroll render nothing. */
const windowStep = 4
const overscan = 8
/** A list with more rows scrolls. */
const maxRows = 16

/** A list of rows of one height, of which only those on the screen are in the document. */
export function RowList<T>(props: {
  readonly count: number
  readonly rowHeight: number
  readonly label: string
  /** Headings of the columns, in a row of the same grid. */
  readonly head?: ComponentChildren
  readonly maxRows?: number
  /** Absent for rows that are not loaded yet. */
  item(index: number): T | undefined
  render(item: T, index: number): ComponentChildren
  onWindow?(from: number, to: number): void
}) {
  const { count, rowHeight, item, render, label, onWindow, head } = props
  const box = useRef<HTMLElement>(null)
  const [range, setRange] = useState({ first: 0, last: Math.ceil(600 / rowHeight) })
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const stepPx = rowHeight * windowStep
    const read = () => {
      const first = Math.floor(element.scrollTop / stepPx) * windowStep
      const last = Math.ceil((element.scrollTop + element.clientHeight) / stepPx) * windowStep
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }))
    }
    const observer = new ResizeObserver(read)
    observer.observe(element)
    element.addEventListener('scroll', read, { passive: true })
    read()
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', read)
    }
  }, [rowHeight])
  const from = Math.max(0, range.first - overscan)
  const to = Math.min(count, range.last + overscan)
  useEffect(() => onWindow?.(from, to), [from, to])
  const rows = []
  for (let index = from; index < to; index++) {
    const one = item(index)
    rows.push(
      <li
        class="row"
        aria-posinset={index + 1}
        aria-setsize={count}
        key={index}
        style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
      >
        {one === undefined ? <span class="loading">…</span> : <RowContent item={one} index={index} render={render} />}
      </li>,
    )
  }
  return (
    <div class="list-card">
      {head}
      <section
        class="row-list"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard
        tabIndex={0}
        ref={box}
        style={{ height: `${Math.min(count, props.maxRows ?? maxRows) * rowHeight}px` }}
      >
        <ul class="row-space" style={{ height: `${count * rowHeight}px` }}>
          {rows}
        </ul>
      </section>
    </div>
  )
}
