// The controllers that belong to simulated nodes. A cluster without such nodes runs none of them.
import type { Random } from '../base/random.ts'
import { startAutoscaler } from '../nodes/autoscaler/autoscaler.ts'
import type { Autoscale } from '../nodes/autoscaler/node-groups.ts'
import type { Fleet } from '../nodes/fleet.ts'
import { startScheduler } from '../nodes/scheduler/scheduler.ts'
import { startVolumeBinder } from '../nodes/volumes/volume-binder.ts'
import type { RunningController, WorkloadControllerParts } from '../runtime/controller-parts.ts'

interface NodeControllerParts extends WorkloadControllerParts {
  readonly random: Random
  onFailure(what: string, error: unknown): void
}

export type NodeControllerName = 'default-scheduler' | 'persistentvolume-controller' | 'cluster-autoscaler'

type StartNodeController = (parts: NodeControllerParts) => RunningController

/** The start of each controller, by the name in its events. */
export function nodeControllers(fleet: Fleet, autoscale: Autoscale | undefined): ReadonlyMap<NodeControllerName, StartNodeController> {
  const starts = new Map<NodeControllerName, StartNodeController>([
    ['default-scheduler', startScheduler],
    ['persistentvolume-controller', startVolumeBinder],
  ])
  if (autoscale !== undefined)
    starts.set('cluster-autoscaler', (parts) => startAutoscaler({ ...parts, ...autoscale, addNodes: fleet.addNodes }))
  return starts
}
