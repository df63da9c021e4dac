// What runs where, and how much room is left.
import type { NodeRow, NodesView } from '../data/views.ts'
import { formatBytes, formatCores } from '../format.ts'
import { describeCounts, Meter, PodBar, RowList } from './parts.tsx'

const rowHeight = 40

export const NodesPage = ({ view }: { readonly view: NodesView }) => (
  <section aria-labelledby="nodes-title">
    <h1 id="nodes-title">Nodes</h1>
    <p class="summary">
      {view.nodes.filter(({ isReady }) => isReady).length} of {view.nodes.length} ready. Bars show pods, and requested cpu and memory.
    </p>
    <RowList
      count={view.nodes.length}
      rowHeight={rowHeight}
      label="Nodes"
      item={(index) => view.nodes[index]}
      render={(row) => <NodeLine row={row} />}
    />
  </section>
)

function NodeLine({ row }: { readonly row: NodeRow }) {
  const { name, isReady, isUnschedulable, taints, pods, podLimit, cpu, memory } = row
  const state = !isReady ? 'lost' : isUnschedulable ? 'cordoned' : 'ready'
  return (
    <div class="node-row" data-node={name} data-state={state}>
      <span class="name">{name}</span>
      <span class={`badge ${isReady ? (isUnschedulable ? 'waiting' : 'ok') : 'problem'}`} title={taints.join(', ')}>
        <span class="sign" aria-hidden="true">
          {isReady ? (isUnschedulable ? '◷' : '✓') : '✕'}
        </span>
        {state}
      </span>
      <PodBar counts={pods} {...(podLimit > 0 && { cap: Math.min(podLimit, 30) })} />
      <span class="numbers">{describeCounts(pods)}</span>
      <Meter label="cpu" used={cpu[0]} size={cpu[1]} text={`${formatCores(cpu[0])} of ${formatCores(cpu[1])} cores`} />
      <Meter label="memory" used={memory[0]} size={memory[1]} text={`${formatBytes(memory[0])} of ${formatBytes(memory[1])}`} />
    </div>
  )
}
