// Puts the verbs together.

import { defaultFeatureGates, type FeatureGates } from '../../api/feature-gates.ts'
import { failure } from '../../api/status-error.ts'
import { type Clock, realClock } from '../../base/clock.ts'
import { machineRandom, type Random } from '../../base/random.ts'
import type { Store } from '../../store/store.ts'
import { create } from './create.ts'
import { deleteCollection, deleteObject } from './delete.ts'
import { ParsedObjects } from './entry.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import type { Rest } from './rest.ts'
import type { Scope } from './scope.ts'
import { update } from './update.ts'
import { WatchHub } from './watch-hub.ts'

export interface RestOptions {
  readonly store: Store
  readonly gates?: FeatureGates
  readonly clock?: Clock
  readonly random?: Random
  /** How many objects are kept parsed. */
  readonly parsedLimit?: number
}

export function createRest(options: RestOptions): Rest {
  const { store, gates = defaultFeatureGates, clock = realClock, random = machineRandom, parsedLimit = 4096 } = options
  const scope: Scope = { store, gates, clock, random, parsed: new ParsedObjects(parsedLimit) }
  const hub = new WatchHub(scope)
  const noSuchEndpoint = () => failure(404, 'NotFound', 'the server could not find the requested resource', {})
  return {
    get(kind, namespace, name, _subresource, query) {
      return get(scope, kind, namespace, name, query?.resourceVersion)
    },
    list: (kind, namespace, query) => list(scope, kind, namespace, query),
    watch: (kind, namespace, query, listener) => hub.watch(kind, namespace, query, listener),
    async create(kind, namespace, input, options) {
      return { answer: await create(scope, kind, namespace, input, options), created: true }
    },
    async update(kind, namespace, name, subresource, input, options) {
      const { entry, created } = await update(scope, { kind, namespace, name, subresource }, input, options)
      return { answer: entry, created }
    },
    async patch() {
      throw noSuchEndpoint()
    },
    delete: (kind, namespace, name, query) => deleteObject(scope, kind, namespace, name, query),
    deleteCollection: (kind, namespace, query, deletion) => deleteCollection(scope, kind, namespace, query, deletion),
    async createSubresource() {
      throw noSuchEndpoint()
    },
  }
}
