// The simulated nodes of the cluster.
import type { NodeSpec } from '../cluster/local-cluster.ts'

export const createNodeNames = (count: number): NodeSpec[] => Array.from({ length: count }, (_, i) => ({ name: `node-${i + 1}` }))
