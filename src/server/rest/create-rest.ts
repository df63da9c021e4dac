// Assembles the verbs.
// Ours: assembles the verbs.
import {
  kinds as builtInKinds,
  clusterRoleBindings,
  clusterRoles,
  nodes,
  pods,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
} from '../../api/kinds.ts'
import { defaultFeatureGates, type FeatureGates } from '../../api/machinery/feature-gates.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { KindSet } from '../../api/machinery/kind-set.ts'
import type { SwitchablePlugin } from '../../api/machinery/switchable-plugins.ts'
import type { ClusterRoleBinding, KubernetesObject, Pod, RoleBinding } from '../../api/types.ts'
import { type Clock, realClock } from '../../base/clock.ts'
import { machineRandom, type Random } from '../../base/random.ts'
import type { Store, StoredRecord } from '../../store/store.ts'
import { admissionPlugins } from '../admission/plugins.ts'
import type { PodSecurityConfiguration } from '../admission/pod-security/configuration.ts'
import { Quotas } from '../admission/quota.ts'
import type { ReviewToken } from '../auth/authenticator.ts'
import { type Authorizer, createAuthorizer } from '../auth/authorizer.ts'
import type { RoleReader } from '../auth/rule-resolver.ts'
import type { BoundKind, ReadBound } from '../auth/service-account-authenticator.ts'
import type { ServiceAccountTokens } from '../auth/service-account-tokens.ts'
import { CustomResources } from '../custom/custom-resources.ts'
import { createBehaviors } from '../kinds/behaviors.ts'
import { issuePodToken } from '../kinds/service-account/behavior.ts'
import type { FindPodServer, ServiceReader } from '../webhooks/webhook-address.ts'
import { admissionCluster, type ReviewEviction, readObject } from './admission.ts'
import { AdmissionObjects } from './admission-objects.ts'
import { admitConnect, createDynamicAdmission } from './configured-admission.ts'
import { deleteCollection, deleteObject } from './delete.ts'
import { get } from './get.ts'
import { KindPipelines } from './kind-pipeline.ts'
import { list } from './list.ts'
import { ListHorizon } from './list-horizon.ts'
import { ParsedObjects } from './parsed-objects.ts'
import type { Rest } from './rest.ts'
import { getScale, patchScale, updateScale } from './scale.ts'
import { entryOf, prefixOf, type Storage, type WriteScope } from './scope.ts'
import { SharedParts } from './shared-parts.ts'
import { noSuchEndpointError, requireRules } from './update-rules.ts'
import { WatchGroups } from './watch-groups.ts'
import { WriteOrder } from './write-order.ts'
import { create, patch, update } from './write-verbs.ts'
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
  /** Decides whether the eviction of a pod has to wait, after webhooks and before disruption budgets. Default: none has. */
  readonly reviewEviction?: ReviewEviction | undefined
  /** Whether webhooks in simulated pods, in which no server runs, are ignored with a warning, whatever their failurePolicy. */
  readonly ignoresSimulatedWebhooks?: boolean | undefined
  /** The oldest revision that a watch may start from, where the store has older ones. Default: the oldest that the store has. */
  readonly oldestWatchRevision?: () => number
}

/** Enough for the pods of a large rollout; 20 MB of pods. */
const defaultMaxParsedObjects = 16_384

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
  const storage: Storage = { store, parsed: new ParsedObjects(maxParsedObjects) }
  const read = (kind: Kind, record: StoredRecord) => entryOf(storage, kind, record).object
  const objects = new AdmissionObjects({ store, prefixOf, read })
  const roles = createRoleReader(storage, objects)
  const authorizer = createStoredAuthorizer(storage, roles)
  const services = serviceReader(storage, options.findPodServer ?? (() => undefined))
  const allKinds = () => options.kinds?.all ?? builtInKinds
  const dynamicAdmission = createDynamicAdmission(storage, services, authorizer, allKinds, options.ignoresSimulatedWebhooks ?? false)
  const behaviorOf = createBehaviors({ storage, clock, random, authorizer, roles, dynamicAdmission, tokens, reviewToken })
  const scope: WriteScope = {
    ...storage,
    clock,
    wallClock: options.wallClock ?? clock,
    listHorizon: new ListHorizon(),
    writes: new WriteOrder(),
    gates,
    random,
    specs: new SharedParts(),
    metadataParts: new SharedParts(),
    admission: {
      cluster: admissionCluster(storage, objects),
      quotas: new Quotas({ store, clock, prefixOf, read }),
      dynamic: dynamicAdmission,
      reviewEviction: options.reviewEviction,
    },
    pipelines: new KindPipelines(behaviorOf, admissionPlugins(options.admissionPlugins ?? [], options.podSecurity)),
    betweenWrites: options.betweenWrites,
  }
  const pipelineOf = (kind: Kind) => scope.pipelines.of(kind)
  const hub = new WatchGroups(scope, options.oldestWatchRevision)
  options.kinds?.onChange((removed) => hub.endAll(removed))
  if (options.kinds !== undefined) new CustomResources(scope, services, options.kinds, options.onFailure ?? (() => {}))
  return {
    authorizer,
    services,
    issuePodToken: (pod, audience, seconds) => tokens && issuePodToken(scope, tokens, pod, audience, seconds),
    readBound: (resource, namespace, name) => readObject(storage, boundKinds[resource], namespace, name),
    get(kind, namespace, name, subresource, query) {
      const pipeline = pipelineOf(kind)
      const { computed } = pipeline.behavior
      if (subresource === undefined && computed !== undefined) return computed.get(scope, namespace, name)
      requireRules(pipeline.rules, subresource)
      if (subresource === 'scale') return getScale(scope, { kind, namespace, name, subresource })
      return get(scope, kind, namespace, name, query?.resourceVersion)
    },
    list(kind, namespace, query) {
      const { computed } = pipelineOf(kind).behavior
      return computed === undefined ? list(scope, kind, namespace, query) : computed.list(scope, namespace, query)
    },
    watch: (kind, namespace, query, listener) => hub.watch(kind, namespace, query, listener),
    async create(kind, namespace, given, options) {
      if (kind.load !== undefined) await kind.load()
      const input = needsYaml(given) ? await readYaml(given) : given
      const { behavior } = pipelineOf(kind)
      const response = behavior.create
        ? await behavior.create(scope, namespace, input, options)
        : await create(scope, kind, namespace, input, options)
      return { response, created: true }
    },
    async update(kind, namespace, name, subresource, given, options) {
      if (kind.load !== undefined) await kind.load()
      requireRules(pipelineOf(kind).rules, subresource)
      const input = needsYaml(given) ? await readYaml(given) : given
      const target = { kind, namespace, name, subresource }
      if (subresource === 'scale') return updateScale(scope, target, input, options)
      const { entry, created } = await update(scope, target, input, options)
      return { response: entry, created }
    },
    async patch(kind, namespace, name, subresource, format, given, query) {
      if (kind.load !== undefined) await kind.load()
      requireRules(pipelineOf(kind).rules, subresource)
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
      const answer = pipelineOf(kind).behavior.subresources?.[subresource]?.create
      if (answer === undefined) throw noSuchEndpointError()
      return answer(scope, namespace, name, input, options)
    },
    admitConnect: (kind, namespace, name, subresource, object, options) =>
      dynamicAdmission.isActive ? admitConnect(scope, options, { resource: kind, namespace, name, subresource, object }) : undefined,
    clearCaches() {
      scope.parsed.evictAll()
      scope.specs.clear()
      scope.metadataParts.clear()
    },
  }
}

const boundKinds: Readonly<Record<BoundKind, Kind>> = { serviceaccounts: serviceAccounts, pods, secrets, nodes }

const needsYaml = (input: Parameters<typeof readYaml>[0]) => 'text' in input && input.format === 'yaml'

// Roles in the store, as the authorizer reads them.
// Kubernetes: pkg/registry/rbac/validation.AuthorizationRuleResolver
const kindsRead = [roles, clusterRoles, roleBindings, clusterRoleBindings]

function createRoleReader(storage: Storage, objects: AdmissionObjects): RoleReader {
  const read = <T extends KubernetesObject>(kind: Kind<T>, namespace: string, name: string) =>
    readObject(storage, kind, namespace, name) as T | undefined
  return {
    clusterRoleBindings: () => objects.list<ClusterRoleBinding>(clusterRoleBindings, ''),
    roleBindings: (namespace) => objects.list<RoleBinding>(roleBindings, namespace),
    clusterRole: (name) => read(clusterRoles, '', name),
    role: (namespace, name) => read(roles, namespace, name),
  }
}

const createStoredAuthorizer = ({ store }: Storage, reader: RoleReader): Authorizer =>
  createAuthorizer(reader, (changed) => {
    for (const kind of kindsRead) store.watch(prefixOf(kind, ''), store.revision, changed)
  })

// Reads the services behind which webhooks and aggregated servers listen.
// Ours: what others read of services, as one interface.
const serviceReader = (storage: Storage, findPodServer: FindPodServer): ServiceReader => ({
  read: (kind, namespace, name) => readObject(storage, kind, namespace, name),
  list: (kind, namespace) => storage.store.list(prefixOf(kind, namespace)).records.map((record) => entryOf(storage, kind, record).object),
  findPodServer,
})
