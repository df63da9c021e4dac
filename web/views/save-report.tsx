// Saves what was seen of a rollout as the report that `rollcall simulate` writes.
import { useState } from 'preact/hooks'
import type { WorkloadView } from '../data/views.ts'
import { send } from '../session.ts'

export function download(html: string, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([html], { type: 'text/html' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

export function SaveReport({ view }: { readonly view: WorkloadView }) {
  const [problem, setProblem] = useState('')
  const save = async () => {
    try {
      const { html } = await send<{ readonly html: string }>('POST', '/rollcall/v1/report', outcomeOf(view))
      download(html, `${view.row?.name ?? 'rollout'}.html`)
      setProblem('')
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <>
      <button type="button" onClick={() => void save()}>
        Save as report
      </button>
      {problem !== '' && (
        <span role="alert" class="problem-text">
          Cannot save it: {problem}
        </span>
      )}
    </>
  )
}

/** What the page has seen, as the server reads it. */
export const outcomeOf = ({ row, history, marks }: WorkloadView) => ({
  title: `${row?.kind} ${row?.namespace}/${row?.name}`,
  kind: row?.kind,
  series: {
    times: history.times,
    layers: history.layers.map(({ revision, state, values }) => ({ revision, state, values })),
    desired: history.desired,
    cap: history.cap,
    available: history.available,
    nodes: history.nodes,
  },
  marks: marks
    .filter(({ atMs }) => atMs >= history.startMs)
    .map(({ atMs, type, object, text }) => ({ atMs: atMs - history.startMs, type, object, text })),
})
