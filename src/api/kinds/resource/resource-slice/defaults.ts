import { formatTime } from '../../../../base/clock.ts'
import { fill } from '../../../machinery/fields.ts'
import type { StrategyContext } from '../../../machinery/kind.ts'
import type { ResourceSlice, Writable } from '../../../types.ts'

interface Device {
  taints?: { timeAdded?: string }[]
  nodeAllocatableResourceMappings?: Record<string, { allocationMultiplier?: string }>
}

export function defaultResourceSlice({ spec }: Writable<ResourceSlice>, { nowMs }: StrategyContext): void {
  for (const device of (spec?.devices ?? []) as Device[]) {
    if (device.taints) device.taints = device.taints.map((taint) => fill('resource.DeviceTaint', taint, { timeAdded: formatTime(nowMs) }))
    const mappings = device.nodeAllocatableResourceMappings ?? {}
    for (const [name, mapping] of Object.entries(mappings))
      mappings[name] = fill('resource.NodeAllocatableResourceMapping', mapping, { allocationMultiplier: '1' })
  }
}
