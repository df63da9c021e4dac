// Pods get the number of their PriorityClass, and a cluster has one default class at most.
import { checkGlobalDefault, keepPriority, resolvePriority } from '../../api/admission/priority.ts'
import { priorityClasses } from '../../api/kinds.ts'
import type { Pod, PriorityClass, Writable } from '../../api/types.ts'
import type { AdmissionPlugin } from './plugin.ts'

export const priority: AdmissionPlugin = {
  admit({ kind, subresource, next, current, cluster }) {
    if (kind.type !== 'core.Pod' || subresource !== undefined) return undefined
    if (current === undefined) return resolvePriority(next as Writable<Pod>, cluster.all(priorityClasses, ''))
    keepPriority(next as Writable<Pod>, current as Pod)
    return undefined
  },
  check({ kind, subresource, next, current, cluster }) {
    if (kind.type !== 'scheduling.PriorityClass' || subresource !== undefined) return undefined
    return checkGlobalDefault(next as PriorityClass, cluster.all(priorityClasses, ''), current === undefined)
  },
}
