// Reads the options of the autoscaler.

import { parseDurationMs } from '../../base/duration.ts'
import type { Autoscale } from '../../cluster/virtual-cluster.ts'
import type { AutoscaleOptions, NodeGroup } from './cluster-api.ts'

export function readAutoscale(options: AutoscaleOptions, nodes: readonly NodeGroup[]): Autoscale {
  const { min, max, node = nodes[0] ?? {}, delay = '60s', idleAfter = '10m' } = options
  if (!(Number.isInteger(min) && Number.isInteger(max) && min >= 0 && max >= Math.max(1, min)))
    throw new Error(`Cannot scale between ${min} and ${max} nodes. Give whole numbers, the smaller one first`)
  return { groups: [{ node, min, max }], delayMs: parseDurationMs(delay), idleAfterMs: parseDurationMs(idleAfter) }
}
