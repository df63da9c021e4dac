import { SetMap } from '../base/maps.ts'

/** The keys of pods that are bound to nodes which are not in the fleet, or not yet. By the name of the node. */
export class UnassignedPods extends SetMap<string, string> {}
