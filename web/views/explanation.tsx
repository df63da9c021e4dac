// A line under a workload: why it is as it is, and what its controller does next.
import { useEffect, useState } from 'preact/hooks'
import { type Explained, explainWorkload } from '../data/explained.ts'
import type { WorkloadRow } from '../data/views.ts'

/** Changes that follow each other closely are explained once. */
const settleMs = 400
/** It names how long pods have been terminating. */
const refreshMs = 10_000

export function Explanation({ row, nowMs }: { readonly row: WorkloadRow; readonly nowMs: number }) {
  const [explained, setExplained] = useState<Explained>()
  useEffect(() => {
    let isOver = false
    const timer = setTimeout(() => {
      // A cluster that cannot be read says so elsewhere on the page.
      explainWorkload(row, nowMs)
        .catch(() => undefined)
        .then((found) => !isOver && setExplained(found))
    }, settleMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [row.key, row.changedMs, row.state, row.text, Math.floor(nowMs / refreshMs)])
  if (explained === undefined) return null
  const { cause, account, next } = explained
  return (
    <p class="explanation soft" data-testid="explanation">
      {sentence(cause)} {sentence(account)} {next.length > 0 && `Next: ${next.join(', ')}.`}
    </p>
  )
}

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
