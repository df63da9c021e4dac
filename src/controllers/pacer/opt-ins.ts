// The opt-in annotations of all workloads by namespace, updated from the caches.
// Ours: the pacer exists in Rollcall only.

import { deployments, jobs, replicaSets } from '../../api/kinds.ts'
import type { KubernetesObject, Pod, Stored } from '../../api/types.ts'
import { getOrAdd } from '../../base/maps.ts'
import type { SharedInformers } from '../../runtime/shared-informers.ts'
import { settingOf, workloadNamesOf } from './plan/opt-in.ts'

export class OptIns {
  /** By namespace: `Deployment/web` with the value of its annotation. */
  readonly #settings = new Map<string, Map<string, string>>()
  #handlers: ((namespace: string) => void)[] = []

  /** The informers must not have started. */
  constructor(informers: SharedInformers) {
    for (const kind of [deployments, replicaSets, jobs])
      informers.get(kind as typeof deployments).onChange((current, previous) => this.#note(kind.kind, current, previous))
  }

  /** Called with the namespace when a setting of it has changed. */
  onChange(handler: (namespace: string) => void): void {
    this.#handlers.push(handler)
  }

  namespaces(): Iterable<string> {
    return this.#settings.keys()
  }

  /** `Deployment/web=TerminationComplete`, sorted. */
  linesOf(namespace: string): readonly string[] {
    return [...(this.#settings.get(namespace) ?? [])].map(([name, value]) => `${name}=${value}`).sort()
  }

  /** The annotations that concern the pod. */
  settingsFor(namespace: string, pod: Pod): readonly string[] {
    const known = this.#settings.get(namespace)
    return known === undefined ? [] : workloadNamesOf(pod).flatMap((name) => known.get(name) ?? [])
  }

  #note(kind: string, current: Stored<KubernetesObject> | undefined, previous: Stored<KubernetesObject> | undefined): void {
    const { namespace = '', name } = (current ?? previous)!.metadata
    const key = `${kind}/${name}`
    const value = current && settingOf(kind, current)
    const known = this.#settings.get(namespace)
    if (known?.get(key) === value) return
    if (value !== undefined) getOrAdd(this.#settings, namespace, () => new Map()).set(key, value)
    else if (known!.delete(key) && known!.size === 0) this.#settings.delete(namespace)
    for (const handler of this.#handlers) handler(namespace)
  }
}
