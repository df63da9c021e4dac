// Time and faults of a cluster of Rollcall: pause, step, speed; faults as buttons; what is going on of them; undo.
import { useEffect, useState } from 'preact/hooks'
import { send } from '../session.ts'
import { FaultForms } from './fault-forms.tsx'

interface StepSummary {
  readonly writes: number
  readonly pods: { readonly created: number; readonly started: number; readonly deleted: number }
}

interface ClockStatus {
  readonly now: string
  readonly speed: number
  readonly paused: boolean
  readonly adjustable: boolean
  readonly step?: StepSummary & { readonly until: string }
  readonly lastStep?: StepSummary & { readonly from: string; readonly to: string; readonly message?: string }
}

interface Fault {
  readonly id: string
  readonly order: { readonly target: string; readonly name?: string; readonly namespace?: string; readonly action: string }
  readonly since: string
  readonly until?: string
  readonly progress?: string
}

const clockPath = '/rollcall/v1/clock'
const faultsPath = '/rollcall/v1/faults'
const refreshMs = 1000
const speeds = [1, 10, 60, 600]
const steps: readonly (readonly [ms: number, text: string])[] = [
  [1000, '1 s'],
  [10_000, '10 s'],
  [60_000, '1 min'],
  [600_000, '10 min'],
  [3_600_000, '1 h'],
]

export function TimePage({ nodes, pod }: { readonly nodes: readonly string[]; readonly pod: string | undefined }) {
  const [clock, setClock] = useState<ClockStatus>()
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [controllers, setControllers] = useState<readonly string[]>([])
  const [problem, setProblem] = useState('')
  const [done, setDone] = useState('')
  const refresh = async () => {
    try {
      setClock(await send<ClockStatus>('GET', clockPath))
      const found = await send<{ readonly items: readonly Fault[]; readonly controllers?: readonly string[] }>('GET', faultsPath)
      setFaults(found.items)
      setControllers(found.controllers ?? [])
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => void refresh(), refreshMs)
    return () => clearInterval(timer)
  }, [])
  const act = async (method: string, path: string, body?: unknown) => {
    setProblem('')
    setDone('')
    try {
      const answer = await send<{ readonly message?: string }>(method, path, body)
      setDone(answer.message ?? '')
    } catch (error) {
      setProblem((error as Error).message)
    }
    await refresh()
  }
  const order = (one: Readonly<Record<string, unknown>>) => void act('POST', faultsPath, one)
  return (
    <section aria-labelledby="time-title">
      <h1 id="time-title">Time and faults</h1>
      <TimeCard clock={clock} onOrder={(body) => act('POST', clockPath, body)} />
      <h2>
        What is going on <small>{faults.length > 0 && faults.length}</small>
      </h2>
      <div class="card" data-testid="faults">
        {faults.length === 0 ? (
          <p class="empty">No fault is active.</p>
        ) : (
          <>
            <ul class="faults">
              {faults.map((fault) => (
                <li key={fault.id}>
                  <span class="fault-sign" aria-hidden="true">
                    ⚡
                  </span>
                  <span>
                    <strong>{nameOf(fault)}</strong>
                    <span class="soft"> {describeTime(fault, clock)}</span>
                  </span>
                  <button type="button" onClick={() => void act('DELETE', `${faultsPath}/${encodeURIComponent(fault.id)}`)}>
                    End it
                  </button>
                </li>
              ))}
            </ul>
            {faults.length > 1 && (
              <button type="button" onClick={() => void act('DELETE', faultsPath)}>
                End all
              </button>
            )}
          </>
        )}
      </div>
      <p role="status" class="done">
        {done}
      </p>
      {problem !== '' && (
        <p role="alert" class="connection">
          {problem}
        </p>
      )}
      <h2>Cause trouble</h2>
      <FaultForms nodes={nodes} pod={pod} controllers={controllers} onOrder={order} />
    </section>
  )
}

function TimeCard({ clock, onOrder }: { readonly clock: ClockStatus | undefined; onOrder(body: unknown): Promise<void> }) {
  if (clock === undefined) return <div class="card time-card empty">Reading the clock …</div>
  const step = async (milliseconds: number) => {
    if (!clock.paused) await onOrder({ pause: true })
    await onOrder({ step: { milliseconds } })
  }
  return (
    <div class="card time-card">
      <p class="clock" data-testid="clock">
        <span class="clock-time">{clock.now.slice(11, 19)}</span>{' '}
        <span class="soft">
          {clock.now.slice(0, 10)} UTC,{' '}
          {clock.paused ? 'paused' : clock.speed === 1 ? 'as fast as the wall clock' : `${clock.speed} times as fast as the wall clock`}
        </span>
      </p>
      {!clock.adjustable && <p>The time of this cluster is the wall clock. Start it with --speed or --paused to control its time.</p>}
      {clock.adjustable && (
        <div class="actions">
          <button type="button" class="primary" onClick={() => void onOrder(clock.paused ? { resume: {} } : { pause: true })}>
            {clock.paused ? 'Resume' : 'Pause'}
          </button>
          <fieldset class="segmented">
            <legend>Speed</legend>
            {speeds.map((speed) => (
              <button
                type="button"
                key={speed}
                aria-pressed={!clock.paused && clock.speed === speed}
                onClick={() => void onOrder({ resume: { speed } })}
              >
                {speed}×
              </button>
            ))}
          </fieldset>
          <fieldset class="segmented">
            <legend>Step</legend>
            {steps.map(([ms, text]) => (
              <button type="button" key={ms} disabled={clock.step !== undefined} onClick={() => void step(ms)}>
                +{text}
              </button>
            ))}
          </fieldset>
        </div>
      )}
      <p class="soft" role="status" data-testid="step">
        {clock.step !== undefined && (
          <>
            Stepping to {clock.step.until.slice(11, 19)}: {describeStep(clock.step)}{' '}
            <button type="button" onClick={() => void onOrder({ cut: true })}>
              Stop here
            </button>
          </>
        )}
        {clock.step === undefined &&
          clock.lastStep !== undefined &&
          `Last step, ${clock.lastStep.from.slice(11, 19)} to ${clock.lastStep.to.slice(11, 19)}: ${clock.lastStep.message ?? describeStep(clock.lastStep)}`}
      </p>
    </div>
  )
}

const describeStep = ({ writes, pods }: StepSummary) =>
  `${writes} writes; pods: ${pods.created} created, ${pods.started} started, ${pods.deleted} deleted`

const nameOf = ({ order: { target, name, namespace, action } }: Fault) =>
  `${[target, namespace, name].filter((part) => part !== undefined).join('/')} ${action}`

function describeTime({ since, until, progress }: Fault, clock: ClockStatus | undefined): string {
  const nowMs = Date.parse(clock?.now ?? since)
  const left = until === undefined ? undefined : Math.max(0, Math.round((Date.parse(until) - nowMs) / 1000))
  return [
    `since ${since.slice(11, 19)}`,
    until === undefined ? 'until it is ended' : `until ${until.slice(11, 19)} (${left} s left)`,
    progress,
  ]
    .filter((part) => part !== undefined)
    .join(', ')
}
