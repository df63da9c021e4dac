// Saves what was seen of a rollout as the report that `rollcall simulate` writes.
import { useState } from 'preact/hooks'
import type { WorkloadView } from '../data/views.ts'
import { send } from '../session.ts'

export function SaveReport({ view }: { readonly view: WorkloadView }) {
  const [problem, setProblem] = useState('')
  const save = async () => {
    try {
      const { html } = await send<{ readonly html: string }>('POST', '/rollcall/v1/report', outcomeOf(view))
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([html], { type: 'text/html' }))
      link.download = `${view.row?.name ?? 'rollout'}.html`
      link.click()
      URL.revokeObjectURL(link.href)
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
