// Faults as buttons: of nodes, pods, the API server and controllers.
import { useEffect, useState } from 'preact/hooks'
import { send } from '../session.ts'

interface FormProps {
  onOrder(order: Readonly<Record<string, unknown>>): void
}

interface PodList {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly namespace: string } }[]
}

/** In cluster time. Empty: until it is ended. */
const durations: readonly (readonly [value: string, text: string])[] = [
  ['', 'until I end it'],
  ['30s', '30 seconds'],
  ['5m', '5 minutes'],
  ['30m', '30 minutes'],
  ['2h', '2 hours'],
]
const maxPods = 500

export function FaultForms(
  props: FormProps & { readonly nodes: readonly string[]; readonly pod: string | undefined; readonly controllers: readonly string[] },
) {
  const [length, setLength] = useState('5m')
  const onOrder = (order: Readonly<Record<string, unknown>>) => props.onOrder({ ...order, ...(length !== '' && { for: length }) })
  return (
    <>
      <p class="filters">
        <label>
          How long, in cluster time
          <select value={length} onChange={(event) => setLength(event.currentTarget.value)}>
            {durations.map(([value, text]) => (
              <option value={value} key={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </p>
      <div class="fault-cards">
        <NodeForm nodes={props.nodes} onOrder={onOrder} onPlain={props.onOrder} />
        <PodForm chosen={props.pod} onOrder={onOrder} onPlain={props.onOrder} />
        <ApiForm onOrder={onOrder} />
        <ControllerForm names={props.controllers} onOrder={onOrder} onPlain={props.onOrder} />
      </div>
    </>
  )
}

/** `onPlain` is for orders that end something, which have no duration. */
type WithPlain = FormProps & { onPlain(order: Readonly<Record<string, unknown>>): void }

function NodeForm({ nodes, onOrder, onPlain }: WithPlain & { readonly nodes: readonly string[] }) {
  const [node, setNode] = useState('')
  const name = node || nodes[0] || ''
  return (
    <fieldset class="card fault-card" disabled={name === ''}>
      <legend>A node</legend>
      <label>
        Node
        <select value={name} onChange={(event) => setNode(event.currentTarget.value)}>
          {nodes.map((one) => (
            <option value={one} key={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <div class="actions">
        <button type="button" onClick={() => onOrder({ target: 'node', name, action: 'down' })}>
          Lose this node
        </button>
        <button type="button" onClick={() => onOrder({ target: 'node', name, action: 'drain' })}>
          Drain it
        </button>
        <button type="button" onClick={() => onPlain({ target: 'node', name, action: 'up' })}>
          Bring it back
        </button>
      </div>
    </fieldset>
  )
}

const podFaults: readonly (readonly [action: string, text: string])[] = [
  ['hang', 'Never terminate'],
  ['unready', 'Not ready'],
  ['fail-readiness', 'Fail readiness'],
  ['fail-liveness', 'Fail liveness'],
]

function PodForm({ chosen, onOrder, onPlain }: WithPlain & { readonly chosen: string | undefined }) {
  const [text, setText] = useState(chosen ?? '')
  const [known, setKnown] = useState<readonly string[]>([])
  useEffect(() => setText(chosen ?? text), [chosen])
  useEffect(() => {
    void send<PodList>('GET', `/api/v1/pods?limit=${maxPods}`).then(
      ({ items }) => setKnown(items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)),
      () => {},
    )
  }, [])
  const [namespace, name = ''] = text.includes('/') ? text.trim().split('/') : ['default', text.trim()]
  const order = (action: string) => ({ target: 'pod', namespace, name, action })
  return (
    <fieldset class="card fault-card">
      <legend>A pod</legend>
      <label>
        Namespace and name
        <input list="known-pods" value={text} placeholder="default/web-1" onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <datalist id="known-pods">
        {known.map((one) => (
          <option value={one} key={one} />
        ))}
      </datalist>
      <div class="actions">
        <button type="button" disabled={name === ''} onClick={() => onPlain(order('crash'))}>
          Crash it
        </button>
        {podFaults.map(([action, label]) => (
          <button type="button" key={action} disabled={name === ''} onClick={() => onOrder(order(action))}>
            {label}
          </button>
        ))}
        <button type="button" disabled={name === ''} onClick={() => onPlain(order('recover'))}>
          Recover
        </button>
      </div>
    </fieldset>
  )
}

/** The page itself is a client of the API server, so the faults are for controllers and nodes unless all are wanted. */
function ApiForm({ onOrder }: FormProps) {
  const [share, setShare] = useState('30%')
  const agents = ['deployment', 'replicaset', 'statefulset', 'daemonset', 'job', 'kubelet', 'kubectl']
  return (
    <fieldset class="card fault-card">
      <legend>The API server, for controllers, nodes and kubectl</legend>
      <label>
        Share of the requests
        <select value={share} onChange={(event) => setShare(event.currentTarget.value)}>
          {['10%', '30%', '100%'].map((one) => (
            <option value={one} key={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <div class="actions">
        <button type="button" onClick={() => onOrder({ target: 'api', action: 'slow', delay: '500ms', share, agents })}>
          500 ms slower
        </button>
        {[503, 429].map((code) => (
          <button type="button" key={code} onClick={() => onOrder({ target: 'api', action: 'refuse', code, share, agents })}>
            Refuse with {code}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

function ControllerForm({ names, onOrder, onPlain }: WithPlain & { readonly names: readonly string[] }) {
  const [chosen, setChosen] = useState('all')
  const order = (action: string) => ({ target: 'controller', name: chosen, action })
  return (
    <fieldset class="card fault-card">
      <legend>A controller</legend>
      <label>
        Controller
        <select value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
          {['all', ...names].map((one) => (
            <option value={one} key={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <div class="actions">
        <button type="button" onClick={() => onOrder(order('stop'))}>
          Stop
        </button>
        <button type="button" onClick={() => onOrder(order('stale'))}>
          Stale cache
        </button>
        <button type="button" onClick={() => onPlain(order('restart'))}>
          Restart
        </button>
        <button type="button" onClick={() => onPlain(order('start'))}>
          Start
        </button>
      </div>
    </fieldset>
  )
}
