// The data worker: watches the cluster, and sends the data of the open page a few times a second, if it has changed.
import { buildView } from './build-view.ts'
import { ClusterState } from './cluster-state.ts'
import { type AnyObject, type Pod, podParts, withoutUnused } from './objects.ts'
import type { FromWorker, ToWorker, ViewRequest } from './views.ts'
import { follow, type Problem, type Source } from './watch.ts'

const followed: readonly (readonly [kind: string, path: string])[] = [
  ['ControllerRevision', '/apis/apps/v1/controllerrevisions'],
  ['ReplicaSet', '/apis/apps/v1/replicasets'],
  ['Deployment', '/apis/apps/v1/deployments'],
  ['StatefulSet', '/apis/apps/v1/statefulsets'],
  ['DaemonSet', '/apis/apps/v1/daemonsets'],
  ['Job', '/apis/batch/v1/jobs'],
  ['CronJob', '/apis/batch/v1/cronjobs'],
  ['Node', '/api/v1/nodes'],
  ['Pod', '/api/v1/pods'],
  ['Event', '/api/v1/events'],
]

/** Four times a second is smooth enough for counts, and leaves the worker free for a burst of changes. */
const viewMs = 250
const clockMs = 2000
/** Ages change while nothing else does. */
const idleViewMs = 1000

const state = new ClusterState()
const problems = new Map<string, Problem>()
const listed = new Set<string>()
let token: string | undefined
let request: ViewRequest = { page: 'overview' }
let sentVersion = -1
let sentRequest = ''
let sentAtMs = 0
let clock = { atMs: 0, nowMs: 0, speed: 1 }

const post = (message: FromWorker) => postMessage(message)
/** The time of the cluster, which may run faster than that of the machine. */
const now = () => (clock.atMs === 0 ? Date.now() : clock.nowMs + (Date.now() - clock.atMs) * clock.speed)

const headers = (): Record<string, string> => (token === undefined ? {} : { authorization: `Bearer ${token}` })
const source: Source = {
  async fetch(path, signal) {
    try {
      return await fetch(path, { signal, cache: 'no-store', headers: { accept: 'application/json', ...headers() } })
    } catch {
      // The browser does not say why.
      throw new Error('the server cannot be reached')
    }
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
}

function start(): void {
  for (const [kind, path] of followed)
    void follow<AnyObject>(
      path,
      {
        reduce: (object) => (kind === 'Pod' ? podParts(object as Pod) : withoutUnused(object)),
        onList(items) {
          state.list(kind, items, now())
          listed.add(kind)
        },
        onChange: (type, object) => state.change(kind, type, object, now()),
        onState(problem) {
          if (problem === undefined) problems.delete(kind)
          else problems.set(kind, problem)
          reportConnection()
        },
      },
      source,
      new AbortController().signal,
    )
  setInterval(sendView, viewMs)
  void readClock()
}

function reportConnection(): void {
  const found = [...problems]
  post({
    type: 'connection',
    problems: [...new Set(found.filter(([, { type }]) => type !== 'forbidden').map(([, { message }]) => message))],
    isUnauthorized: found.some(([, { type }]) => type === 'unauthorized'),
    forbidden: found.filter(([, { type }]) => type === 'forbidden').map(([kind]) => kind),
    isListed: isListed(),
  })
}

const isListed = () => listed.size === followed.length

function sendView(): void {
  // Before all kinds are listed, counts would only show in which order they arrived.
  if (isListed()) state.flush(now())
  const asked = JSON.stringify(request)
  const isDue = Date.now() - sentAtMs >= idleViewMs && request.page !== 'nodes'
  if (state.version === sentVersion && asked === sentRequest && !isDue) return
  sentVersion = state.version
  sentRequest = asked
  sentAtMs = Date.now()
  post({ type: 'view', view: buildView(state, request, now()), revision: String(state.version) })
}

/** Only Rollcall's own clusters have a clock that can be read; others answer 404 or 403. */
async function readClock(): Promise<void> {
  try {
    const response = await source.fetch('/rollcall/v1/clock', new AbortController().signal)
    if (!response.ok) return
    const {
      now: text,
      speed,
      paused,
    } = (await response.json()) as { readonly now: string; readonly speed: number; readonly paused: boolean }
    clock = { atMs: Date.now(), nowMs: Date.parse(text), speed: paused ? 0 : speed }
  } catch {}
  setTimeout(() => void readClock(), clockMs)
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'start') {
    token = data.token
    start()
    return
  }
  request = data.request
  sendView()
}
