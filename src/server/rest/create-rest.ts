// Assembles the verbs.
// Ours: assembles the verbs.

import { kinds as builtInKinds, nodes, pods, secrets, serviceAccounts, services } from '../../api/kinds.ts'
import { defaultFeatureGates, type FeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { KindSet } from '../../api/machinery/kind-set.ts'
import type { SwitchablePlugin } from '../../api/machinery/switchable-plugins.ts'
import type { Pod, Service, Status } from '../../api/types.ts'
import { type Clock, realClock } from '../../base/clock.ts'
import { machineRandom, type Random } from '../../base/random.ts'
import type { Store, StoredRecord } from '../../store/store.ts'
import type { PodSecurityConfiguration } from '../admission/pod-security/configuration.ts'
import { Quotas } from '../admission/quota.ts'
import type { ReviewToken } from '../auth/authenticator.ts'
import type { Authorizer } from '../auth/authorizer.ts'
import type { BoundKind, ReadBound } from '../auth/service-account-authenticator.ts'
import type { ServiceAccountTokens } from '../auth/service-account-tokens.ts'
import { CustomResources } from '../custom/custom-resources.ts'
import type { FindPodServer, ServiceReader } from '../webhooks/webhook-address.ts'
import { admissionCluster, createAdmission } from './admission.ts'
import { AdmissionObjects } from './admission-objects.ts'
import { patch } from './apply-patch.ts'
import { bind } from './binding.ts'
import { admitConnect, createDynamicAdmission } from './configured-admission.ts'
import { create } from './create.ts'
import { deleteCollection, deleteObject } from './delete.ts'
import { evict } from './eviction.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { ListHorizon } from './list-horizon.ts'
import { ParsedObjects } from './parsed-objects.ts'
import { readBody } from './request-body.ts'
import type { ObjectResponse, Rest } from './rest.ts'
import { review } from './reviews.ts'
import { createStoredAuthorizer } from './role-access.ts'
import { getScale, patchScale, updateScale } from './scale.ts'
import { entryOf, keyOf, prefixOf, type Scope } from './scope.ts'
import { ServiceAddresses } from './service-addresses.ts'
import { serviceReader } from './service-reader.ts'
import { SharedParts } from './shared-parts.ts'
import { issuePodToken, requestToken } from './token-request.ts'
import { update } from './update.ts'
import { noSuchEndpointError, rulesOf } from './update-rules.ts'
import { getUsageMetrics, isUsageMetrics, listUsageMetrics } from './usage-metrics.ts'
import { WatchGroups } from './watch-groups.ts'
import { WriteOrder } from './write-order.ts'
import { readYaml } from './yaml-input.ts'

export interface RestOptions {
  readonly store: Store
  readonly gates?: FeatureGates
  readonly clock?: Clock
  /** For timeouts and bookmarks of watches. Default: `clock`. */
  readonly wallClock?: Clock
  readonly random?: Random
  /** The kinds of the server, which definitions of custom resources add to. Absent: definitions are stored, and have no effect. */
  readonly kinds?: KindSet
  /** Reports what the server could not do by itself. */
  onFailure?(what: string, error: unknown): void
  /** The capacity of the cache of parsed objects. */
  readonly maxParsedObjects?: number
  /** Answers TokenReviews. Without it no token is known. */
  readonly reviewToken?: ReviewToken
  /** Signs tokens of service accounts. Without it they cannot be requested. */
  readonly tokens?: ServiceAccountTokens
  /** The admission plugins that are on, of those that can be switched. Default: none. */
  readonly admissionPlugins?: readonly SwitchablePlugin[]
  /** Default: pods of namespaces without labels are admitted, and nothing is exempt. */
  readonly podSecurity?: PodSecurityConfiguration | undefined
  /** Finds servers in simulated pods. Without it none is reached. */
  readonly findPodServer?: FindPodServer
  /** Awaited between the mark of a deletion and the removal, so that watchers receive one after the other. Default: nothing. */
  readonly betweenWrites?: () => Promise<void>
  /** Whether webhooks in simulated pods, in which no server runs, are ignored with a warning, whatever their failurePolicy. */
  readonly ignoresSimulatedWebhooks?: boolean | undefined
  /** The oldest revision that a watch may start from, where the store has older ones. Default: the oldest that the store has. */
  readonly oldestWatchRevision?: () => number
}

/** Enough for the pods of a large rollout; 20 MB of pods. */
const defaultMaxParsedObjects = 16_384

const isReview = ({ group, verbs }: Kind) => group.endsWith('.k8s.io') && verbs?.length === 1 && verbs[0] === 'create'

/** The verbs, and the authorizer that reads the roles of the same store. */
interface AuthorizedRest extends Rest {
  readonly authorizer: Authorizer
  /** Reads what tokens of service accounts are bound to. */
  readonly readBound: ReadBound
  /** Issues a token that a pod mounts. Undefined: the pod or its account does not exist, or the server signs no tokens. */
  issuePodToken(pod: Pod, audience: string | undefined, expirationSeconds: number): string | undefined
  /** Reads the services behind which aggregated servers listen. */
  readonly services: ServiceReader
}

export function createRest(options: RestOptions): AuthorizedRest {
  const {
    store,
    gates = defaultFeatureGates,
    clock = realClock,
    random = machineRandom,
    maxParsedObjects = defaultMaxParsedObjects,
    reviewToken,
    tokens,
  } = options
  const readService = (record: StoredRecord) => entryOf(scope, services, record).object as Service
  const authorizer = createStoredAuthorizer(() => scope)
  const scope: Scope = {
    store,
    gates,
    clock,
    wallClock: options.wallClock ?? clock,
    random,
    parsed: new ParsedObjects(maxParsedObjects),
    specs: new SharedParts(),
    metadataParts: new SharedParts(),
    admissionObjects: new AdmissionObjects({ store, prefixOf, read: (kind, record) => entryOf(scope, kind, record).object }),
    writes: new WriteOrder(),
    listHorizon: new ListHorizon(),
    serviceAddresses: new ServiceAddresses(store, random, readService),
    admission: admissionCluster(() => scope),
    plugins: createAdmission(options.admissionPlugins ?? [], options.podSecurity),
    authorizer,
    dynamicAdmission: createDynamicAdmission(
      () => scope,
      authorizer,
      () => options.kinds?.all ?? builtInKinds,
      options.ignoresSimulatedWebhooks ?? false,
    ),
    findPodServer: options.findPodServer ?? (() => undefined),
    betweenWrites: options.betweenWrites,
    quotas: new Quotas({ store, clock, prefixOf, read: (kind, record) => entryOf(scope, kind, record).object }),
  }
  const hub = new WatchGroups(scope, options.oldestWatchRevision)
  options.kinds?.onChange((removed) => hub.endAll(removed))
  if (options.kinds !== undefined) new CustomResources(scope, options.kinds, options.onFailure ?? (() => {}))
  return {
    authorizer: scope.authorizer,
    services: serviceReader(() => scope),
    issuePodToken: (pod, audience, seconds) => tokens && issuePodToken(scope, tokens, pod, audience, seconds),
    readBound(resource, namespace, name) {
      const record = store.get(keyOf(boundKinds[resource], namespace, name))
      return record && entryOf(scope, boundKinds[resource], record).object
    },
    get(kind, namespace, name, subresource, query) {
      if (isUsageMetrics(kind) && subresource === undefined) return getUsageMetrics(scope, kind, namespace, name)
      if (subresource === undefined) return get(scope, kind, namespace, name, query?.resourceVersion)
      if (rulesOf(kind, subresource) === undefined) throw noSuchEndpointError()
      if (subresource === 'scale') return getScale(scope, { kind, namespace, name, subresource })
      return get(scope, kind, namespace, name, query?.resourceVersion)
    },
    list: (kind, namespace, query) =>
      isUsageMetrics(kind) ? listUsageMetrics(scope, kind, namespace, query) : list(scope, kind, namespace, query),
    watch: (kind, namespace, query, listener) => hub.watch(kind, namespace, query, listener),
    async create(kind, namespace, given, options) {
      if (kind.load !== undefined) await kind.load()
      const input = needsYaml(given) ? await readYaml(given) : given
      if (isReview(kind))
        return {
          response: review(kind, namespace, readBody(kind, input, options), options, {
            reviewToken,
            authorizer: scope.authorizer,
            nowMs: clock.now(),
          }),
          created: true,
        }
      if (kind.type === 'core.Binding')
        return { response: statusResponse(await bind(scope, namespace, undefined, input, options)), created: true }
      return { response: await create(scope, kind, namespace, input, options), created: true }
    },
    async update(kind, namespace, name, subresource, given, options) {
      if (kind.load !== undefined) await kind.load()
      if (rulesOf(kind, subresource) === undefined) throw noSuchEndpointError()
      const input = needsYaml(given) ? await readYaml(given) : given
      const target = { kind, namespace, name, subresource }
      if (subresource === 'scale') return updateScale(scope, target, input, options)
      const { entry, created } = await update(scope, target, input, options)
      return { response: entry, created }
    },
    async patch(kind, namespace, name, subresource, format, given, query) {
      if (kind.load !== undefined) await kind.load()
      if (rulesOf(kind, subresource) === undefined) throw noSuchEndpointError()
      const input = needsYaml(given) ? await readYaml(given, format === 'apply') : given
      const target = { kind, namespace, name, subresource }
      if (subresource === 'scale') return patchScale(scope, target, format, input, query)
      const { entry, created } = await patch(scope, target, format, input, query)
      return { response: entry, created }
    },
    delete: (kind, namespace, name, query) => deleteObject(scope, kind, namespace, name, query),
    deleteCollection: (kind, namespace, query, deletion) => deleteCollection(scope, kind, namespace, query, deletion),
    async createSubresource(kind, namespace, name, subresource, given, options) {
      const input = needsYaml(given) ? await readYaml(given) : given
      if (kind.type === 'core.Pod' && subresource === 'binding') return bind(scope, namespace, name, input, options)
      if (kind.type === 'core.Pod' && subresource === 'eviction') return evict(scope, namespace, name, input, options)
      if (kind.type === 'core.ServiceAccount' && subresource === 'token' && tokens !== undefined)
        return requestToken(scope, tokens, namespace, name, input, options)
      throw noSuchEndpointError()
    },
    admitConnect: (kind, namespace, name, subresource, object, options) =>
      scope.dynamicAdmission.isActive ? admitConnect(scope, options, { resource: kind, namespace, name, subresource, object }) : undefined,
    clearCaches() {
      scope.parsed.evictAll()
      scope.specs.clear()
      scope.metadataParts.clear()
    },
  }
}

const boundKinds = { serviceaccounts: serviceAccounts, pods, secrets, nodes } as unknown as Readonly<Record<BoundKind, Kind>>

const needsYaml = (input: Parameters<typeof readYaml>[0]) => 'text' in input && input.format === 'yaml'

const statusKind: Kind = {
  group: '',
  version: 'v1',
  kind: 'Status',
  plural: '',
  namespaced: false,
  type: 'meta.Status',
  strategy: { names: 'any' },
}

/** The response to POST `bindings` is a Status. */
function statusResponse(status: Status): ObjectResponse {
  const { kind: _, apiVersion: __, ...rest } = status
  return { kind: statusKind, object: status, json: JSON.stringify(rest) }
}
