// The objects that quotas count. A kind is watched from the first quota that limits it on; of objects that are only counted, the
// cache holds nothing but the names.
// Kubernetes: pkg/controller/resourcequota.QuotaMonitor.*
// Kubernetes: k8s.io/apiserver/pkg/quota/v1/generic.CalculateUsageStats
import { type QuotaMeasure, quotaMeasureOf } from '../../api/kinds/core/resource-quota/measures.ts'
import { kinds, persistentVolumeClaims, pods, services } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import type { CommonParts } from '../../runtime/controller-parts.ts'
import { Informer } from '../../runtime/informer.ts'

interface CountedKind {
  readonly measure: QuotaMeasure
  readonly informer: Informer<KubernetesObject>
}

/** `informers`: for the pods, which other controllers watch as well. */
interface CountedObjectsOptions extends Pick<CommonParts, 'client' | 'clock' | 'informers' | 'onFailure'> {
  /** Called when the usage in the namespace may have changed. */
  onChange(measure: QuotaMeasure, namespace: string): void
}

const measured = kinds.flatMap((kind) => {
  const measure = quotaMeasureOf(kind)
  return measure === undefined ? [] : [{ kind, measure }]
})

/** Of other kinds only the names are needed. */
const cachedWhole: ReadonlySet<unknown> = new Set([pods, services, persistentVolumeClaims])

const namesOnly = ({ metadata }: Stored<KubernetesObject>): Stored<KubernetesObject> => {
  const { name, namespace = '', uid, resourceVersion } = metadata
  return { metadata: { name, namespace, uid, resourceVersion } }
}

export class CountedObjects {
  readonly #options: CountedObjectsOptions
  readonly #counted = new Map<Kind, CountedKind>()
  readonly #own: Informer<KubernetesObject>[] = []
  #stop: () => void = () => {}
  readonly #stopped = new Promise<void>((resolve) => {
    this.#stop = resolve
  })

  constructor(options: CountedObjectsOptions) {
    this.#options = options
    this.#add(pods, quotaMeasureOf(pods)!, options.informers.get(pods))
  }

  /** Resolves to the kinds that count toward these resources, when their informers have synced; to undefined when stopped before. */
  async read(resources: readonly string[]): Promise<readonly CountedKind[] | undefined> {
    const wanted = measured.filter(({ measure }) => resources.some(measure.tracks))
    const counted = wanted.map(({ kind, measure }) => this.#counted.get(kind) ?? this.#watch(kind, measure))
    await Promise.race([this.#stopped, Promise.all(counted.map(({ informer }) => informer.synced))])
    return counted.every(({ informer }) => informer.hasSynced) ? counted : undefined
  }

  stop(): void {
    this.#stop()
    for (const informer of this.#own) informer.stop()
  }

  #watch(kind: Kind, measure: QuotaMeasure): CountedKind {
    const { client, clock, onFailure } = this.#options
    const informer = new Informer<KubernetesObject>({
      client,
      clock,
      resource: kind,
      indexes: { namespace: ({ metadata }) => [metadata.namespace ?? ''] },
      ...(!cachedWhole.has(kind) && { transform: namesOnly }),
      onFailure: (error) => onFailure?.(`resource quota: watching ${kind.plural}`, error),
    })
    this.#own.push(informer)
    const counted = this.#add(kind, measure, informer)
    informer.start()
    return counted
  }

  #add(kind: Kind, measure: QuotaMeasure, informer: Informer<KubernetesObject>): CountedKind {
    const isWhole = cachedWhole.has(kind)
    informer.onChange((current, previous) => {
      // A change of an object that is only counted does not change the usage.
      if (!isWhole && current !== undefined && previous !== undefined) return
      this.#options.onChange(measure, (current ?? previous!).metadata.namespace ?? '')
    })
    const counted = { measure, informer }
    this.#counted.set(kind, counted)
    return counted
  }
}
