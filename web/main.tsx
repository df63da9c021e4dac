// The page: watches a cluster through its ordinary API, in a worker, and shows one view at a time.
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ConnectionState, FromWorker, ToWorker, View, ViewRequest } from './data/views.ts'
import { type Route, useRoute } from './route.ts'
import { send, takeToken } from './session.ts'
import { Select } from './views/controls.tsx'
import { NodePage, NodesPage } from './views/nodes.tsx'
import { Overview } from './views/overview.tsx'
import { TimePage } from './views/time-page.tsx'
import { WorkloadPage } from './views/workload.tsx'

const firstPods = 60

const requestOf = (route: Route, pods: { readonly from: number; readonly to: number }): ViewRequest => {
  if (route.page === 'workload') return { page: 'workload', key: route.key, podsFrom: pods.from, podsTo: pods.to }
  if (route.page === 'node') return { page: 'node', name: route.name, podsFrom: pods.from, podsTo: pods.to }
  return { page: route.page === 'overview' ? 'overview' : 'nodes' }
}

const titleOf = (route: Route): string => {
  switch (route.page) {
    case 'workload':
      return route.key.split('/').at(-1)!
    case 'node':
      return route.name
    default:
      return { overview: 'Workloads', nodes: 'Nodes', time: 'Time and faults' }[route.page]
  }
}

function App({ token }: { readonly token: string | undefined }) {
  const route = useRoute()
  const worker = useRef<Worker | undefined>(undefined)
  const main = useRef<HTMLElement>(null)
  const [view, setView] = useState<View>()
  const [connection, setConnection] = useState<ConnectionState>({ problems: [], isUnauthorized: false, forbidden: [], isListed: false })
  const [pods, setPods] = useState({ from: 0, to: firstPods })
  const [isRollcall, setRollcall] = useState(false)
  useEffect(() => {
    const one = new Worker('worker.js', { type: 'module' })
    one.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'view') setView(data.view)
      else setConnection(data)
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
  const place = 'key' in route ? route.key : 'name' in route ? route.name : route.page
  useEffect(() => worker.current?.postMessage({ type: 'show', request } satisfies ToWorker), [JSON.stringify(request)])
  const isFirst = useRef(true)
  useEffect(() => {
    setPods({ from: 0, to: firstPods })
    document.title = `${titleOf(route)} · Rollcall`
    // A screen reader starts at the new page, and the keyboard continues there.
    if (!isFirst.current) {
      main.current?.focus()
      scrollTo(0, 0)
    }
    isFirst.current = false
  }, [place])
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <TopBar route={route} isRollcall={isRollcall} connection={connection} />
      <main ref={main} tabIndex={-1}>
        <Notices connection={connection} />
        {connection.isUnauthorized && !connection.isListed ? null : (
          <Content
            route={route}
            view={view}
            isListed={connection.isListed}
            isRollcall={isRollcall}
            onPods={(from, to) => setPods({ from, to: Math.max(to, from + firstPods) })}
          />
        )}
      </main>
    </>
  )
}

function Notices({ connection: { problems, isUnauthorized, forbidden } }: { readonly connection: ConnectionState }) {
  if (isUnauthorized)
    return (
      <p role="alert" class="connection">
        <strong>The server does not accept this page's token.</strong> Open the address that <code>rollcall up</code> or{' '}
        <code>rollcall dashboard</code> printed when it started.
      </p>
    )
  return (
    <>
      {problems.length > 0 && (
        <p role="alert" class="connection">
          <strong>Not connected: {problems[0]}.</strong> The page shows the last known state, and reconnects by itself.
        </p>
      )}
      {forbidden.length > 0 && (
        <p role="alert" class="connection mild">
          You may not list and watch {forbidden.join(', ')}: the page shows the rest.
        </p>
      )}
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
  const reading = <p class="empty reading">Reading the cluster …</p>
  if (view === undefined || !isListed) return reading
  switch (route.page) {
    case 'workload':
      if (view.page !== 'workload' || (view.row !== undefined && view.row.key !== route.key)) return reading
      return <WorkloadPage key={route.key} view={view} name={route.key} onWindow={onPods} isRollcall={isRollcall} />
    case 'node':
      if (view.page !== 'node' || view.name !== route.name) return reading
      return <NodePage key={route.name} view={view} onWindow={onPods} isRollcall={isRollcall} />
    case 'time':
      return <TimePage nodes={view.page === 'nodes' ? view.nodes.map(({ name }) => name) : []} pod={route.pod} />
    case 'nodes':
      return view.page === 'nodes' ? <NodesPage view={view} /> : reading
    case 'overview':
      return view.page === 'overview' ? <Overview view={view} nowMs={view.nowMs} /> : reading
  }
}

const themes = ['auto', 'light', 'dark'] as const
const themeSigns = { auto: '◐', light: '☀', dark: '☾' } as const

function TopBar(props: { readonly route: Route; readonly isRollcall: boolean; readonly connection: ConnectionState }) {
  const { route, isRollcall, connection } = props
  const [theme, setTheme] = useState<(typeof themes)[number]>(
    () => themes.find((name) => name === localStorage.getItem('rollcall-theme')) ?? 'auto',
  )
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    localStorage.setItem('rollcall-theme', theme)
  }, [theme])
  const link = (pages: readonly Route['page'][], href: string, text: string) => (
    <a href={href} {...(pages.includes(route.page) && { 'aria-current': 'page' as const })}>
      {text}
    </a>
  )
  const isLive = connection.isListed && connection.problems.length === 0 && !connection.isUnauthorized
  return (
    <header class="top-bar">
      <a class="brand" href="#/">
        <svg class="logo" viewBox="0 0 20 20" aria-hidden="true">
          <title>Rollcall</title>
          <rect x="1" y="11" width="4" height="8" rx="1" class="bar-1" />
          <rect x="8" y="6" width="4" height="13" rx="1" class="bar-2" />
          <rect x="15" y="1" width="4" height="18" rx="1" class="bar-3" />
        </svg>
        Rollcall
      </a>
      <nav aria-label="Pages">
        {link(['overview', 'workload'], '#/', 'Workloads')}
        {link(['nodes', 'node'], '#/nodes', 'Nodes')}
        {isRollcall && link(['time'], '#/time', 'Time and faults')}
      </nav>
      <span class={isLive ? 'live on' : 'live'} role="status" data-testid="live">
        <span class="live-dot" aria-hidden="true" />
        {isLive ? 'live' : 'not connected'}
      </span>
      <Select
        class="theme"
        title={`Colours: ${theme}`}
        label={<span class="visually-hidden">Colours</span>}
        value={theme}
        options={themes.map((name) => [name, `${themeSigns[name]} ${name}`] as const)}
        onChange={setTheme}
      />
    </header>
  )
}

render(<App token={takeToken()} />, document.getElementById('app')!)
