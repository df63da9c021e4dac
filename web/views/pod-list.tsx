// A list of pods.
import { useState } from 'preact/hooks'
import type { NodeView, PodRow, WorkloadView } from '../data/views.ts'
import { formatAge } from '../format.ts'
import { faultHash, hashOf, nodeHash } from '../route.ts'
import { ObjectDialog } from './dialogs.tsx'
import { RowList, useNarrow } from './parts.tsx'

interface PodListProps {
  readonly view: WorkloadView | NodeView
  readonly label: string
  readonly maxRows?: number
  readonly isRollcall: boolean
  onWindow(from: number, to: number): void
}

export function PodList({ view, isRollcall, ...rest }: PodListProps) {
  const [opened, setOpened] = useState<PodRow>()
  return (
    <>
      <RowList
        {...rest}
        count={view.podCount}
        rowHeight={useNarrow() ? 78 : 40}
        head={<PodHead isOfNode={view.page === 'node'} />}
        item={(index) => view.pods[index - view.podsFrom]}
        render={(pod) => <PodLine pod={pod} nowMs={view.nowMs} isRollcall={isRollcall} onOpen={setOpened} />}
      />
      {opened !== undefined && <ObjectDialog key={opened.name} object={{ kind: 'Pod', ...opened }} onClose={() => setOpened(undefined)} />}
    </>
  )
}

const PodHead = ({ isOfNode }: { readonly isOfNode: boolean }) => (
  <div class="pod-row head" aria-hidden="true">
    <span>Pod</span>
    <span>State</span>
    <span>{isOfNode ? 'Workload' : 'Node'}</span>
    <span class="number">Revision</span>
    <span class="number">Age</span>
    <span>Why it is not ready</span>
  </div>
)

interface PodLineProps {
  readonly pod: PodRow
  readonly nowMs: number
  readonly isRollcall: boolean
  onOpen(pod: PodRow): void
}

function PodLine({ pod, nowMs, isRollcall, onOpen }: PodLineProps) {
  const { name, namespace, state, revision, node, createdMs, reason, restarts, terminating, workload } = pod
  const text = [reason, restarts > 0 && `${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`].filter(Boolean).join(' · ')
  return (
    <div class="pod-row" data-pod={name} data-state={state}>
      <button type="button" class="name link" title={`${name}: log and YAML`} onClick={() => onOpen(pod)}>
        {name}
      </button>
      <span class={`pod-state ${state}`}>
        <span class={`part key ${state}`} aria-hidden="true" /> {state}
      </span>
      <span class="node">
        {workload !== undefined ? (
          <a href={hashOf(workload)}>{workload.split('/').at(-1)}</a>
        ) : node === '' ? (
          '–'
        ) : (
          <a href={nodeHash(node)}>{node}</a>
        )}
      </span>
      <span class="revision number">{revision === 0 ? '–' : revision}</span>
      <span class="age number">{formatAge(nowMs - createdMs)}</span>
      <span class="reason" title={text}>
        {terminating !== undefined && (
          <progress
            class={terminating.forMs > terminating.graceMs ? 'over' : ''}
            max={Math.max(1, terminating.graceMs)}
            value={Math.min(terminating.forMs, terminating.graceMs)}
            aria-label="termination, of its grace period"
          />
        )}
        <span class="reason-text">{text}</span>
        {isRollcall && state !== 'finished' && (
          <a class="fault-link" href={faultHash(namespace, name)} aria-label={`Inject a fault into ${name}`} title="Inject a fault">
            ⚡
          </a>
        )}
      </span>
    </div>
  )
}
