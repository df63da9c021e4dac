// Faults as buttons: of nodes, pods, the API server and controllers.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { send } from '../session.ts'
import { Select } from './controls.tsx'

type Order = Readonly<Record<string, unknown>> & { readonly action: string }

interface FormProps {
  onOrder(order: Order): void
}

interface PodList {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly namespace: string } }[]
}

/** In cluster time. Empty: until it is ended. */
const durations = [
  ['', 'until I end it'],
  ['30s', '30 seconds'],
  ['5m', '5 minutes'],
  ['30m', '30 minutes'],
  ['2h', '2 hours'],
] as const
/** Actions that end something, or are over at once: they have no duration. */
const brief = ['up', 'crash', 'recover', 'restart', 'start']
const maxPods = 500

export function FaultForms(
  props: FormProps & { readonly nodes: readonly string[]; readonly pod: string | undefined; readonly controllers: readonly string[] },
) {
  const [length, setLength] = useState<string>('5m')
  const onOrder = (order: Order) => props.onOrder({ ...order, ...(length !== '' && !brief.includes(order.action) && { for: length }) })
  return (
    <>
      <p class="filters">
        <Select label="How long, in cluster time" value={length} options={durations} onChange={setLength} />
      </p>
      <div class="fault-cards">
        <NodeForm nodes={props.nodes} onOrder={onOrder} />
        <PodForm chosen={props.pod} onOrder={onOrder} />
        <ApiForm onOrder={onOrder} />
        <ControllerForm names={props.controllers} onOrder={onOrder} />
      </div>
    </>
  )
}

interface CardProps extends FormProps {
  readonly legend: string
  /** What all orders of the card have in common. */
  readonly subject: Readonly<Record<string, unknown>>
  readonly buttons: readonly (readonly [text: string, order: Order])[]
  readonly isDisabled?: boolean
  readonly children: ComponentChildren
}

const FaultCard = ({ legend, subject, buttons, isDisabled = false, onOrder, children }: CardProps) => (
  <fieldset class="card fault-card">
    <legend>{legend}</legend>
    {children}
    <div class="actions">
      {buttons.map(([text, order]) => (
        <button type="button" key={text} disabled={isDisabled} onClick={() => onOrder({ ...subject, ...order })}>
          {text}
        </button>
      ))}
    </div>
  </fieldset>
)

const nodeFaults = [
  ['Lose this node', { action: 'down' }],
  ['Drain it', { action: 'drain' }],
  ['Bring it back', { action: 'up' }],
] as const

function NodeForm({ nodes, onOrder }: FormProps & { readonly nodes: readonly string[] }) {
  const [node, setNode] = useState('')
  const name = node || nodes[0] || ''
  return (
    <FaultCard legend="A node" subject={{ target: 'node', name }} buttons={nodeFaults} isDisabled={name === ''} onOrder={onOrder}>
      <Select label="Node" value={name} options={nodes} onChange={setNode} />
    </FaultCard>
  )
}

const podFaults = [
  ['Crash it', { action: 'crash' }],
  ['Never terminate', { action: 'hang' }],
  ['Not ready', { action: 'unready' }],
  ['Fail readiness', { action: 'fail-readiness' }],
  ['Fail liveness', { action: 'fail-liveness' }],
  ['Recover', { action: 'recover' }],
] as const

function PodForm({ chosen, onOrder }: FormProps & { readonly chosen: string | undefined }) {
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
  return (
    <FaultCard legend="A pod" subject={{ target: 'pod', namespace, name }} buttons={podFaults} isDisabled={name === ''} onOrder={onOrder}>
      <label>
        Namespace and name
        <input list="known-pods" value={text} placeholder="default/web-1" onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <datalist id="known-pods">
        {known.map((one) => (
          <option value={one} key={one} />
        ))}
      </datalist>
    </FaultCard>
  )
}

/** The page itself is a client of the API server, so the faults are for these clients only. */
const agents = ['deployment', 'replicaset', 'statefulset', 'daemonset', 'job', 'kubelet', 'kubectl']
const apiFaults = [
  ['500 ms slower', { action: 'slow', delay: '500ms' }],
  ['Refuse with 503', { action: 'refuse', code: 503 }],
  ['Refuse with 429', { action: 'refuse', code: 429 }],
] as const

function ApiForm({ onOrder }: FormProps) {
  const [share, setShare] = useState('30%')
  return (
    <FaultCard
      legend="The API server, for controllers, nodes and kubectl"
      subject={{ target: 'api', share, agents }}
      buttons={apiFaults}
      onOrder={onOrder}
    >
      <Select label="Share of the requests" value={share} options={['10%', '30%', '100%']} onChange={setShare} />
    </FaultCard>
  )
}

const controllerFaults = [
  ['Stop', { action: 'stop' }],
  ['Stale cache', { action: 'stale' }],
  ['Restart', { action: 'restart' }],
  ['Start', { action: 'start' }],
] as const

function ControllerForm({ names, onOrder }: FormProps & { readonly names: readonly string[] }) {
  const [name, setName] = useState('all')
  return (
    <FaultCard legend="A controller" subject={{ target: 'controller', name }} buttons={controllerFaults} onOrder={onOrder}>
      <Select label="Controller" value={name} options={['all', ...names]} onChange={setName} />
    </FaultCard>
  )
}
