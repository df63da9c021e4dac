// The page: watches a cluster through its ordinary API, in a worker, and shows one view at a time.
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FromWorker, ToWorker, View, ViewRequest } from './data/views.ts'
import { type Route, useRoute } from './route.ts'
import { send, takeToken } from './session.ts'
import { NodesPage } from './views/nodes.tsx'
import { Overview } from './views/overview.tsx'
import { TimePage } from './views/time-page.tsx'
import { WorkloadPage } from './views/workload.tsx'

const firstPods = 60

const requestOf = (route: Route, pods: { readonly from: number; readonly to: number }): ViewRequest => {
  if (route.page === 'workload') return { page: 'workload', key: route.key, podsFrom: pods.from, podsTo: pods.to }
  return { page: route.page === 'overview' ? 'overview' : 'nodes' }
}

interface Connection {
  readonly problems: readonly string[]
  readonly isListed: boolean
}

function App({ token }: { readonly token: string | undefined }) {
  const route = useRoute()
  const worker = useRef<Worker | undefined>(undefined)
  const [view, setView] = useState<View>()
  const [connection, setConnection] = useState<Connection>({ problems: [], isListed: false })
  const [pods, setPods] = useState({ from: 0, to: firstPods })
  const [isRollcall, setRollcall] = useState(false)
  useEffect(() => {
    const one = new Worker('worker.js', { type: 'module' })
    one.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'view') setView(data.view)
      else setConnection({ problems: data.problems, isListed: data.isListed })
    }
    one.postMessage({ type: 'start', token } satisfies ToWorker)
    worker.current = one
    void send('GET', '/rollcall/v1/clock').then(
      () => setRollcall(true),
      () => setRollcall(false),
    )
    return () => one.terminate()
  }, [])
  const request = requestOf(route, pods)
  useEffect(() => worker.current?.postMessage({ type: 'show', request } satisfies ToWorker), [JSON.stringify(request)])
  useEffect(() => setPods({ from: 0, to: firstPods }), [route.page === 'workload' ? route.key : route.page])
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <TopBar route={route} isRollcall={isRollcall} />
      <main id="content">
        {connection.problems.length > 0 && (
          <p role="alert" class="connection">
            Not connected: {connection.problems[0]}. The numbers are those of the last moment; the page tries again by itself.
          </p>
        )}
        <Content
          route={route}
          view={view}
          isListed={connection.isListed}
          isRollcall={isRollcall}
          onPods={(from, to) => setPods({ from, to: Math.max(to, from + firstPods) })}
        />
      </main>
    </>
  )
}

function Content(props: {
  readonly route: Route
  readonly view: View | undefined
  readonly isListed: boolean
  readonly isRollcall: boolean
  onPods(from: number, to: number): void
}) {
  const { route, view, isListed, isRollcall, onPods } = props
  if (view === undefined || (!isListed && route.page === 'overview' && view.page === 'overview' && view.workloads.length === 0))
    return <p class="empty">Reading the cluster …</p>
  if (route.page === 'workload') {
    if (view.page !== 'workload' || (view.row !== undefined && view.row.key !== route.key))
      return <p class="empty">Reading the workload …</p>
    return <WorkloadPage key={route.key} view={view} name={route.key} onWindow={onPods} isRollcall={isRollcall} />
  }
  if (route.page === 'time') return <TimePage nodes={view.page === 'nodes' ? view.nodes.map(({ name }) => name) : []} />
  if (route.page === 'nodes') return view.page === 'nodes' ? <NodesPage view={view} /> : <p class="empty">Reading the nodes …</p>
  return view.page === 'overview' ? <Overview view={view} nowMs={view.nowMs} /> : <p class="empty">Reading the workloads …</p>
}

const themes = ['auto', 'light', 'dark'] as const

function TopBar({ route, isRollcall }: { readonly route: Route; readonly isRollcall: boolean }) {
  const [theme, setTheme] = useState(() => localStorage.getItem('rollcall-theme') ?? 'auto')
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    localStorage.setItem('rollcall-theme', theme)
  }, [theme])
  const link = (page: Route['page'], href: string, text: string) => (
    <a href={href} {...(route.page === page && { 'aria-current': 'page' as const })}>
      {text}
    </a>
  )
  return (
    <header class="top-bar">
      <a class="brand" href="#/">
        Rollcall
      </a>
      <nav aria-label="Pages">
        {link('overview', '#/', 'Workloads')}
        {link('nodes', '#/nodes', 'Nodes')}
        {isRollcall && link('time', '#/time', 'Time and faults')}
      </nav>
      <label class="theme">
        <span class="visually-hidden">Colours</span>
        <select value={theme} onChange={(event) => setTheme(event.currentTarget.value)}>
          {themes.map((name) => (
            <option value={name} key={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </header>
  )
}

render(<App token={takeToken()} />, document.getElementById('app')!)
