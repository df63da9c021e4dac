// "Simulate this change": a form, and the comparison of the policies for it.
import { useState } from 'preact/hooks'
import { PodChart } from '../chart/pod-chart.tsx'
import type { HistoryView } from '../data/history.ts'
import type { WorkloadView } from '../data/views.ts'
import { send } from '../session.ts'

interface Comparison {
  readonly rows: readonly { readonly name: string; readonly values: readonly string[] }[]
  readonly outcomes: readonly { readonly name: string; readonly series: HistoryView; readonly stuck: readonly string[] }[]
  readonly advice: string
  readonly assumptions: readonly string[]
}

export function WhatIf({ view }: { readonly view: WorkloadView }) {
  const current = view.manifest as {
    readonly spec?: {
      readonly replicas?: number
      readonly template?: { readonly spec?: { readonly containers?: readonly { readonly image?: string }[] } }
    }
  }
  const image = current.spec?.template?.spec?.containers?.[0]?.image ?? ''
  const [result, setResult] = useState<Comparison>()
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const run = async (form: HTMLFormElement) => {
    const fields = Object.fromEntries(new FormData(form)) as Record<string, string>
    setBusy(true)
    setProblem('')
    try {
      setResult(await send<Comparison>('POST', '/rollcall/v1/simulate', { manifest: view.manifest, change: fields }))
    } catch (error) {
      setProblem((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section class="what-if" aria-labelledby="what-if-title">
      <h2 id="what-if-title">Simulate a change</h2>
      <p>Nothing in the cluster changes: the rollout is simulated in virtual time, once for each policy.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void run(event.currentTarget)
        }}
      >
        <label>
          Image <input name="image" defaultValue={image.replace(/(:[^/]*)?$/, ':next')} />
        </label>
        <label>
          Replicas <input name="replicas" type="number" min="0" max="10000" defaultValue={String(current.spec?.replicas ?? '')} />
        </label>
        <label>
          maxSurge <input name="maxSurge" placeholder="as it is" pattern="[0-9]+%?" />
        </label>
        <label>
          maxUnavailable <input name="maxUnavailable" placeholder="as it is" pattern="[0-9]+%?" />
        </label>
        <label>
          Time to ready <input name="startup" defaultValue="20s" />
        </label>
        <label>
          Time to stop <input name="stop" defaultValue="30s" />
        </label>
        <button type="submit" disabled={isBusy}>
          {isBusy ? 'Simulating …' : 'Simulate'}
        </button>
      </form>
      {problem !== '' && (
        <p role="alert" class="problem-text">
          {problem}
        </p>
      )}
      {result !== undefined && (
        <div data-testid="comparison">
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">measure</th>
                  {result.outcomes.map(({ name }) => (
                    <th scope="col" key={name}>
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {result.rows.map(({ name, values }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    {values.map((value, index) => (
                      <td key={result.outcomes[index]?.name}>{value}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p>{result.advice}</p>
          {result.outcomes.map(({ name, series, stuck }) => (
            <div key={name}>
              <h3>{name}</h3>
              {stuck.map((reason) => (
                <p class="problem-text" key={reason}>
                  {reason}
                </p>
              ))}
              <PodChart history={series} startMs={0} marks={[]} label={`Simulated pods under ${name}`} />
            </div>
          ))}
          <p class="assumptions">Assumed: {result.assumptions.join('; ')}</p>
        </div>
      )}
    </section>
  )
}
