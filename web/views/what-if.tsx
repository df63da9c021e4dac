// "Simulate a change": a form, and the comparison of the policies for it.
import { useState } from 'preact/hooks'
import { PodChart } from '../chart/pod-chart.tsx'
import type { HistoryView } from '../data/history.ts'
import type { WorkloadView } from '../data/views.ts'
import { send } from '../session.ts'
import { Alert, MeasureTable, Select, Stuck } from './controls.tsx'

interface Simulated {
  readonly rows: readonly { readonly name: string; readonly values: readonly string[]; readonly best: readonly number[] }[]
  readonly outcomes: readonly { readonly name: string; readonly series: HistoryView; readonly stuck: readonly string[] }[]
  readonly advice: string
  readonly assumptions: readonly string[]
}

interface Container {
  readonly name: string
  readonly image?: string
}

interface Manifest {
  readonly kind?: string
  readonly spec?: { readonly replicas?: number; readonly template?: { readonly spec?: { readonly containers?: readonly Container[] } } }
}

const policies = [
  ['', 'compare all'],
  ['None', 'none: as Kubernetes does it'],
  'TerminationStarted',
  'TerminationComplete',
  'TerminationComplete+terminatingAsActive',
] as const

export function WhatIf({ view }: { readonly view: WorkloadView }) {
  const manifest = view.rollout?.after as Manifest
  const containers = manifest.spec?.template?.spec?.containers ?? []
  const [container, setContainer] = useState(containers[0]?.name ?? '')
  const image = containers.find(({ name }) => name === container)?.image ?? ''
  const [result, setResult] = useState<Simulated>()
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const run = async (form: HTMLFormElement) => {
    const fields = Object.fromEntries(new FormData(form)) as Record<string, string>
    setBusy(true)
    setProblem('')
    try {
      setResult(await send<Simulated>('POST', '/rollcall/v1/simulate', { manifest, change: fields }))
    } catch (error) {
      setProblem((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  const isDeployment = manifest.kind === 'Deployment'
  return (
    <section class="what-if card" aria-labelledby="what-if-title">
      <h2 id="what-if-title">Simulate a change</h2>
      <p class="soft">Nothing in the cluster changes: the rollout runs in virtual time, once for each policy.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void run(event.currentTarget)
        }}
      >
        {containers.length > 1 && (
          <Select
            label="Container"
            name="container"
            value={container}
            options={containers.map(({ name }) => name)}
            onChange={setContainer}
          />
        )}
        {containers.length === 1 && <input type="hidden" name="container" value={container} />}
        <label class="wide">
          Image <input name="image" key={container} defaultValue={image.replace(/(:[^/]*)?$/, ':next')} />
        </label>
        {manifest.kind !== 'DaemonSet' && (
          <label>
            Replicas <input name="replicas" type="number" min="0" max="10000" defaultValue={String(manifest.spec?.replicas ?? '')} />
          </label>
        )}
        {manifest.kind !== 'StatefulSet' && (
          <label>
            maxSurge <input name="maxSurge" placeholder="as it is" pattern="[0-9]+%?" title="a number or a percentage" />
          </label>
        )}
        <label>
          maxUnavailable <input name="maxUnavailable" placeholder="as it is" pattern="[0-9]+%?" title="a number or a percentage" />
        </label>
        {isDeployment && (
          <>
            <Select label="Policy" name="policy" class="wide" options={policies} />
            <label class="check">
              <input type="checkbox" name="pacer" value="yes" /> with the pacer
            </label>
          </>
        )}
        <label>
          Time to ready <input name="startup" defaultValue={timeOf(view.rollout?.startMs, '20s')} />
        </label>
        <label>
          Time to stop <input name="stop" defaultValue={timeOf(view.rollout?.stopMs, '30s')} />
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Simulating …' : 'Simulate'}
        </button>
      </form>
      {problem !== '' && <Alert>{problem}</Alert>}
      {result !== undefined && <Results result={result} />}
    </section>
  )
}

/** As the pods of this workload took, where the page has seen it. */
const timeOf = (ms: number | undefined, fallback: string) => (ms === undefined ? fallback : `${Math.max(0, Math.round(ms / 1000))}s`)

const Results = ({ result }: { readonly result: Simulated }) => (
  <div data-testid="comparison">
    {result.advice !== '' && <p class="waits-for">{result.advice}</p>}
    <MeasureTable
      columns={result.outcomes.map(({ name }) => name)}
      rows={result.rows.map(({ name, values, best }) => ({
        name,
        cells: values.map((text, index) => ({ text, class: best.includes(index) ? 'best' : '' })),
      }))}
    />
    <div class="columns">
      {result.outcomes.map(({ name, series, stuck }) => (
        <div key={name}>
          <h3>{name}</h3>
          <Stuck reasons={stuck} />
          <PodChart history={series} startMs={0} marks={[]} label={`Simulated pods under ${name}`} />
        </div>
      ))}
    </div>
    <p class="assumptions">Assumed: {result.assumptions.join('; ')}.</p>
  </div>
)
