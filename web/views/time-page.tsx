// Time and faults of a cluster of Rollcall: pause, step, speed; lose a node; end a fault.
import { useEffect, useState } from 'preact/hooks'
import { send } from '../session.ts'

interface ClockStatus {
  readonly now: string
  readonly speed: number
  readonly paused: boolean
  readonly adjustable: boolean
}

interface Fault {
  readonly id: string
  readonly order: { readonly target: string; readonly name?: string; readonly action: string }
  readonly until?: string
  readonly progress?: string
}

const clockPath = '/rollcall/v1/clock'
const faultsPath = '/rollcall/v1/faults'
const refreshMs = 1000

export function TimePage({ nodes }: { readonly nodes: readonly string[] }) {
  const [clock, setClock] = useState<ClockStatus>()
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [problem, setProblem] = useState('')
  const [node, setNode] = useState('')
  const [minutes, setMinutes] = useState('5')
  const refresh = async () => {
    try {
      setClock(await send<ClockStatus>('GET', clockPath))
      setFaults((await send<{ readonly items: readonly Fault[] }>('GET', faultsPath)).items)
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => void refresh(), refreshMs)
    return () => clearInterval(timer)
  }, [])
  const act = (method: string, path: string, body?: unknown) => async () => {
    setProblem('')
    try {
      await send(method, path, body)
    } catch (error) {
      setProblem((error as Error).message)
    }
    await refresh()
  }
  const step = (milliseconds: number) => act('POST', clockPath, { step: { milliseconds } })
  const chosen = node || nodes[0] || ''
  return (
    <section aria-labelledby="time-title">
      <h1 id="time-title">Time and faults</h1>
      {problem !== '' && (
        <p role="alert" class="problem-text">
          {problem}
        </p>
      )}
      <h2>Time</h2>
      {clock !== undefined && (
        <p data-testid="clock">
          {clock.now.slice(0, 19).replace('T', ' ')} UTC,{' '}
          {clock.paused ? 'paused' : clock.speed === 1 ? 'as fast as the wall clock' : `${clock.speed} times as fast as the wall clock`}
        </p>
      )}
      {clock !== undefined && !clock.adjustable && (
        <p>The time of this cluster is the wall clock. Start it with --speed or --paused to control its time.</p>
      )}
      {clock?.adjustable && (
        <div class="actions">
          {clock.paused ? (
            <button type="button" onClick={act('POST', clockPath, { resume: {} })}>
              Resume
            </button>
          ) : (
            <button type="button" onClick={act('POST', clockPath, { pause: true })}>
              Pause
            </button>
          )}
          {clock.paused && (
            <>
              <button type="button" onClick={step(1000)}>
                Step 1 s
              </button>
              <button type="button" onClick={step(10_000)}>
                Step 10 s
              </button>
              <button type="button" onClick={step(60_000)}>
                Step 1 min
              </button>
              <button type="button" onClick={step(600_000)}>
                Step 10 min
              </button>
            </>
          )}
          {[1, 10, 60].map((speed) => (
            <button
              type="button"
              key={speed}
              aria-pressed={!clock.paused && clock.speed === speed}
              onClick={act('POST', clockPath, { resume: { speed } })}
            >
              {speed}×
            </button>
          ))}
        </div>
      )}
      <h2>Faults</h2>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Node
          <select value={chosen} onChange={(event) => setNode(event.currentTarget.value)}>
            {nodes.map((name) => (
              <option value={name} key={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Minutes <input type="number" min="1" max="1440" value={minutes} onInput={(event) => setMinutes(event.currentTarget.value)} />
        </label>
        <button type="button" disabled={chosen === ''} onClick={act('POST', faultsPath, nodeDown(chosen, Number(minutes)))}>
          Lose this node
        </button>
      </form>
      {faults.length === 0 ? (
        <p class="empty">No fault is active.</p>
      ) : (
        <ul class="faults" data-testid="faults">
          {faults.map((fault) => (
            <li key={fault.id}>
              {describeFault(fault)}{' '}
              <button type="button" onClick={act('DELETE', `${faultsPath}/${encodeURIComponent(fault.id)}`)}>
                End it
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const nodeDown = (node: string, minutes: number) => ({ target: 'node', name: node, action: 'down', for: `${minutes}m` })

const describeFault = ({ order, until, progress }: Fault): string =>
  [
    `${order.target}${order.name === undefined ? '' : `/${order.name}`} ${order.action}`,
    until === undefined ? 'until it is ended' : `until ${until.slice(11, 19)}`,
    progress,
  ]
    .filter((part) => part !== undefined)
    .join(', ')
