// What the server does for one kind and not for all: its subresources, its steps of a write, its deletion. Each folder here has the behavior of a
// kind, and ./behaviors.ts lists them. A kind without one is stored and served as it is.
// Ours: what a kind adds to the verbs, as one interface.
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject, Status, Writable } from '../../api/types.ts'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { DynamicAdmission } from '../admission/dynamic/dynamic-admission.ts'
import type { ReviewToken } from '../auth/authenticator.ts'
import type { Authorizer } from '../auth/authorizer.ts'
import type { RoleReader } from '../auth/rule-resolver.ts'
import type { ServiceAccountTokens } from '../auth/service-account-tokens.ts'
import type { Entry } from '../rest/entry.ts'
import type { DeleteQuery, Input, ListQuery, ListResponse, ObjectResponse, WriteOptions } from '../rest/rest.ts'
import type { ReadScope, Storage, WriteScope } from '../rest/scope.ts'
import type { UpdateRules } from '../rest/update-rules.ts'
import type { Write } from '../rest/write-steps.ts'

/** All members are optional: each is called for the kinds that have it only. The steps of a write are in the order of ../rest/write-pipeline.ts. */
export interface KindBehavior {
  /** Endpoints besides `status` and `scale`, by name. */
  readonly subresources?: Readonly<Record<string, SubresourceBehavior>>
  /** Answers a POST to the collection. Nothing is stored. */
  create?(scope: WriteScope, namespace: string, input: Input, options: WriteOptions): ObjectResponse | Promise<ObjectResponse>
  /** Its objects are not stored: they are computed when they are read. */
  readonly computed?: ComputedObjects

  /** Completes an object that a server-side apply creates, in place. */
  completeApplied?(object: Writable<KubernetesObject>): void
  /** Sets what the caller decides besides name and namespace, in place. */
  identify?(write: Write): void
  /** Compiles the expressions of the object. Not called for a subresource, which has none. Rejects with a StatusError. */
  compile?(write: Write): Promise<void>
  /** Throws a StatusError where the caller may not write this object, although it may write objects of the kind. */
  authorize?(write: Write): void
  /** Assigns what no two objects may share, in place. Sets `write.allocateAgain` where something else may take it before the object is stored. */
  allocate?(write: Write): void
  /** Called after an object of the kind was stored or removed. */
  changed?(): void

  /** Begins a deletion that a controller completes. Undefined: the object is deleted like any other. */
  markDeleted?(scope: WriteScope, name: string, query: DeleteQuery): Promise<Entry | undefined>
  /** Whether anything besides finalizers in the metadata keeps a terminating object. */
  isHeld?(object: KubernetesObject): boolean
  /** To webhooks and policies, an object of the kind is in the namespace that it is itself. */
  readonly isItsNamespace?: boolean
}

interface SubresourceBehavior {
  /** The body is the whole object: the fields that this endpoint may change. */
  readonly rules?: UpdateRules
  /** Answers a POST. */
  create?(scope: WriteScope, namespace: string, name: string, input: Input, options: WriteOptions): CreatedSubresource
}

type CreatedSubresource = Status | KubernetesObject | Promise<Status | KubernetesObject>

interface ComputedObjects {
  get(scope: ReadScope, namespace: string, name: string): ObjectResponse
  list(scope: ReadScope, namespace: string, query: ListQuery): ListResponse
}

/** The parts of a server that behaviors are made from. */
export interface BehaviorParts {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
  readonly authorizer: Authorizer
  readonly roles: RoleReader
  readonly dynamicAdmission: DynamicAdmission
  /** Undefined: the server signs no tokens. */
  readonly tokens: ServiceAccountTokens | undefined
  readonly reviewToken: ReviewToken | undefined
}

/** The behavior of one kind, or of several that behave alike. */
export interface BehaviorDefinition {
  readonly kinds: readonly Kind[]
  /** Called once for each kind of a server. */
  define(parts: BehaviorParts): KindBehavior
}
