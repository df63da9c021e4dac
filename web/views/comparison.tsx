// A rollout as the page has seen it beside its simulation, with the differences in numbers.
import { useEffect, useState } from 'preact/hooks'
import { PodChart } from '../chart/pod-chart.tsx'
import type { HistoryView } from '../data/history.ts'
import type { WorkloadView } from '../data/views.ts'
import { send } from '../session.ts'
import { Alert, MeasureTable, Stuck } from './controls.tsx'
import { download, outcomeOf } from './save-report.tsx'

interface Compared {
  readonly rows: readonly { readonly name: string; readonly observed: string; readonly simulated: string; readonly difference: string }[]
  readonly observed: HistoryView
  readonly simulated: HistoryView
  readonly stuck: readonly string[]
  readonly assumptions: readonly string[]
  readonly html: string
}

const seconds = (ms: number | undefined) => (ms === undefined ? '' : `${Math.max(0, Math.round(ms / 100) / 10)}s`)

export function Comparison({ view }: { readonly view: WorkloadView }) {
  const [result, setResult] = useState<Compared>()
  const [problem, setProblem] = useState('')
  const { rollout } = view
  const run = async () => {
    setProblem('')
    try {
      setResult(
        await send<Compared>('POST', '/rollcall/v1/compare', {
          before: rollout?.before,
          after: rollout?.after,
          observed: outcomeOf(view),
          startup: seconds(rollout?.startMs),
          stop: seconds(rollout?.stopMs),
        }),
      )
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  useEffect(() => {
    if (rollout?.before === undefined)
      setProblem('the page knows of no change: there is one revision, and its size has not changed since the page was opened')
    else void run()
  }, [])
  return (
    <section class="what-if card" aria-labelledby="comparison-title">
      <h2 id="comparison-title">Compared with its simulation</h2>
      {problem !== '' && <Alert>Cannot compare: {problem}</Alert>}
      {problem === '' && result === undefined && <p class="empty">Simulating …</p>}
      {result !== undefined && (
        <div data-testid="simulation-comparison">
          <p class="soft">
            The last change of {view.row?.name}, as this page saw it, and as it runs in virtual time with the same policy and the same times
            to start and to stop.
          </p>
          <Stuck reasons={result.stuck} />
          <MeasureTable
            columns={['Observed', 'Simulated', 'Difference']}
            rows={result.rows.map(({ name, observed, simulated, difference }) => ({
              name,
              cells: [
                { text: observed, class: '' },
                { text: simulated, class: '' },
                { text: difference, class: difference === '0' || difference === '–' ? 'soft' : 'differs' },
              ],
            }))}
          />
          <div class="columns">
            <div>
              <h3>Observed</h3>
              <PodChart history={result.observed} startMs={0} marks={[]} label="Observed pods" />
            </div>
            <div>
              <h3>Simulated</h3>
              <PodChart history={result.simulated} startMs={0} marks={[]} label="Simulated pods" />
            </div>
          </div>
          {result.assumptions.length > 0 && <p class="assumptions">Assumed: {result.assumptions.join('; ')}.</p>}
          <div class="actions">
            <button type="button" onClick={() => download(result.html, `${view.row?.name ?? 'rollout'}-compared.html`)}>
              Save the comparison
            </button>
            <button type="button" onClick={() => void run()}>
              Compare again
            </button>
          </div>
        </div>
      )}
    </section>
  )
}
