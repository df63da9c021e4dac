// What runs where, and how much room is left.
import type { NodeRow, NodesView, NodeView } from '../data/views.ts'
import { formatBytes, formatCores } from '../format.ts'
import { nodeHash } from '../route.ts'
import { ConditionChip, CountTiles, describeCounts, Meter, namesOf, PodBar, RowList, totalOf, useNarrow } from './parts.tsx'
import { PodList } from './pod-list.tsx'

const rowHeight = 50
const narrowRowHeight = 108

export function NodesPage({ view }: { readonly view: NodesView }) {
  const isNarrow = useNarrow()
  const { nodes } = view
  const scale = Math.max(1, ...nodes.map(({ pods }) => totalOf(pods)))
  const ready = nodes.filter(({ isReady }) => isReady)
  const left = (of: (row: NodeRow) => number) =>
    ready.filter((row) => !row.isUnschedulable).reduce((sum, row) => sum + Math.max(0, of(row)), 0)
  return (
    <section aria-labelledby="nodes-title">
      <h1 id="nodes-title">Nodes</h1>
      <p class="summary" data-testid="nodes-summary">
        {ready.length} of {nodes.length} ready
        {nodes.length > ready.length && (
          <>
            ,{' '}
            <strong class="problem-text">
              {nodes.length - ready.length} lost:{' '}
              {namesOf(
                nodes.filter(({ isReady }) => !isReady).map(({ name }) => name),
                5,
              )}
            </strong>
          </>
        )}
        . Room left on those that take pods: {formatCores(left(({ cpu }) => cpu[1] - cpu[0]))} cores,{' '}
        {formatBytes(left(({ memory }) => memory[1] - memory[0]))} of memory.
      </p>
      {nodes.length === 0 ? (
        <div class="empty card">
          <p>There is no node, so pods stay pending.</p>
        </div>
      ) : (
        <RowList
          count={nodes.length}
          rowHeight={isNarrow ? narrowRowHeight : rowHeight}
          label="Nodes"
          head={
            <div class="node-row head" aria-hidden="true">
              <span>Node</span>
              <span>State</span>
              <span>Pods</span>
              <span>Cpu</span>
              <span>Memory</span>
            </div>
          }
          item={(index) => nodes[index]}
          render={(row) => <NodeLine row={row} scale={scale} />}
        />
      )}
    </section>
  )
}

const stateOf = ({ isReady, isUnschedulable }: NodeRow) => (!isReady ? 'lost' : isUnschedulable ? 'cordoned' : 'ready')
const badges = { lost: ['problem', '✕'], cordoned: ['waiting', '◷'], ready: ['operational', '✓'] } as const

function NodeBadge({ row }: { readonly row: NodeRow }) {
  const [kind, sign] = badges[stateOf(row)]
  return (
    <span class={`badge ${kind}`} title={row.taints.join(', ')}>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <span class="badge-text">{stateOf(row)}</span>
    </span>
  )
}

const room = (used: number, size: number, format: (value: number) => string) =>
  used > size ? `${format(used - size)} too much` : `${format(size - used)} left`

const Meters = ({ row: { cpu, memory } }: { readonly row: NodeRow }) => (
  <>
    <Meter
      label="cpu"
      used={cpu[0]}
      size={cpu[1]}
      text={room(cpu[0], cpu[1], formatCores)}
      title={`${formatCores(cpu[0])} of ${formatCores(cpu[1])} cores requested`}
    />
    <Meter
      label="memory"
      used={memory[0]}
      size={memory[1]}
      text={room(memory[0], memory[1], formatBytes)}
      title={`${formatBytes(memory[0])} of ${formatBytes(memory[1])} requested`}
    />
  </>
)

/** `scale`: the number of pods that fills the bar, the same for all nodes. */
const NodeLine = ({ row, scale }: { readonly row: NodeRow; readonly scale: number }) => (
  <a class="node-row" href={nodeHash(row.name)} data-node={row.name} data-state={stateOf(row)}>
    <span class="name" title={row.name}>
      {row.name}
    </span>
    <NodeBadge row={row} />
    <span class="bar-cell" title={row.podLimit > 0 ? `${row.podLimit} pods at the most` : undefined}>
      <PodBar counts={row.pods} cap={scale} />
      <span class="numbers">{describeCounts(row.pods)}</span>
    </span>
    <Meters row={row} />
  </a>
)

/** One node: what runs there. */
export function NodePage(props: { readonly view: NodeView; onWindow(from: number, to: number): void; readonly isRollcall: boolean }) {
  const { view, onWindow, isRollcall } = props
  const { node } = view
  return (
    <section aria-labelledby="node-title">
      <nav class="crumbs" aria-label="Path">
        <a href="#/nodes">Nodes</a>
      </nav>
      <header class="page-header">
        <h1 id="node-title">{view.name}</h1>
        {node !== undefined && <NodeBadge row={node} />}
      </header>
      {node === undefined ? (
        <p class="empty">This node does not exist, or not any more. Pods that still name it are listed below.</p>
      ) : (
        <>
          <CountTiles counts={node.pods} />
          <div class="card node-room">
            <Meters row={node} />
            <p class="chips">
              {view.conditions.map((condition) => (
                <ConditionChip key={condition.type} {...condition} title={condition.message ?? ''} />
              ))}
            </p>
            {node.taints.length > 0 && <p class="summary">Taints: {node.taints.join(', ')}</p>}
          </div>
        </>
      )}
      <h2>Pods</h2>
      {view.podCount === 0 ? (
        <p class="empty">No pod is on this node.</p>
      ) : (
        <PodList view={view} label={`Pods on ${view.name}`} isRollcall={isRollcall} onWindow={onWindow} />
      )}
    </section>
  )
}
