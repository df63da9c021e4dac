// Small parts that several pages use.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { PodCounts, WorkloadState } from '../data/workload-summary.ts'

const stateNames: Readonly<Record<WorkloadState, string>> = {
  problem: 'Problem',
  waiting: 'Waiting',
  progressing: 'Progressing',
  ok: 'OK',
  idle: 'Idle',
}

/** A sign and a word: the state is readable without colour. */
export const StateBadge = ({ state, text }: { readonly state: WorkloadState; readonly text: string }) => (
  <span class={`badge ${state}`}>
    <span class="sign" aria-hidden="true">
      {{ problem: '✕', waiting: '◷', progressing: '↻', ok: '✓', idle: '–' }[state]}
    </span>
    <span class="visually-hidden">{stateNames[state]}: </span>
    {text}
  </span>
)

export const describeCounts = ({ ready, starting, pending, terminating }: PodCounts, desired?: number): string =>
  [
    `${ready}${desired === undefined ? '' : ` of ${desired}`} ready`,
    starting > 0 && `${starting} starting`,
    pending > 0 && `${pending} pending`,
    terminating > 0 && `${terminating} terminating`,
  ]
    .filter((part) => part !== false)
    .join(', ')

/** Pods by state as a bar, against the larger of what is there and what may be there. */
export function PodBar({ counts, desired, cap }: { readonly counts: PodCounts; readonly desired?: number; readonly cap?: number }) {
  const { ready, starting, pending, terminating } = counts
  const total = ready + starting + pending + terminating
  const size = Math.max(total, cap ?? 0, desired ?? 0, 1)
  const part = (name: string, count: number) => count > 0 && <span class={`part ${name}`} style={{ width: `${(count / size) * 100}%` }} />
  return (
    <span class="pod-bar" role="img" aria-label={describeCounts(counts, desired)} title={describeCounts(counts, desired)}>
      {part('ready', ready)}
      {part('starting', starting)}
      {part('pending', pending)}
      {part('terminating', terminating)}
      {desired !== undefined && desired > 0 && <span class="desired" style={{ left: `${(desired / size) * 100}%` }} />}
    </span>
  )
}

interface MeterProps {
  readonly label: string
  readonly used: number
  readonly size: number
  readonly text: string
}

export const Meter = ({ label, used, size, text }: MeterProps) => (
  <span class="metered">
    <span class="meter-text">
      {label} {text}
    </span>
    <span class="meter" aria-hidden="true">
      <span class={used > size ? 'fill over' : 'fill'} style={{ width: `${Math.min(100, size > 0 ? (used / size) * 100 : 0)}%` }} />
    </span>
  </span>
)

const overscan = 8
/** The list scrolls when it has more. */
const maxRows = 16

/** A list of rows of one height, of which only those on the screen are in the document. */
export function RowList<T>(props: {
  readonly count: number
  readonly rowHeight: number
  readonly label: string
  /** Absent for rows that are not loaded yet. */
  item(index: number): T | undefined
  render(item: T, index: number): ComponentChildren
  onWindow?(from: number, to: number): void
}) {
  const { count, rowHeight, item, render, label, onWindow } = props
  const box = useRef<HTMLElement>(null)
  const [range, setRange] = useState({ top: 0, height: 600 })
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const read = () => setRange({ top: element.scrollTop, height: element.clientHeight })
    const observer = new ResizeObserver(read)
    observer.observe(element)
    element.addEventListener('scroll', read, { passive: true })
    read()
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', read)
    }
  }, [])
  const from = Math.max(0, Math.floor(range.top / rowHeight) - overscan)
  const to = Math.min(count, Math.ceil((range.top + range.height) / rowHeight) + overscan)
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
        {one === undefined ? '…' : render(one, index)}
      </li>,
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard
    <section class="row-list" aria-label={label} tabIndex={0} ref={box} style={{ height: `${Math.min(count, maxRows) * rowHeight + 2}px` }}>
      <ul class="row-space" style={{ height: `${count * rowHeight}px` }}>
        {rows}
      </ul>
    </section>
  )
}
