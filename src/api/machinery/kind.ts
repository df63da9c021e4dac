// The definition of a kind. All kinds are listed in ../kinds/definitions.ts.
// Kubernetes: k8s.io/apiserver/pkg/registry/rest.RESTCreateStrategy, RESTUpdateStrategy
import type { CustomType } from './custom-types.ts'
import type { FeatureGateName, FeatureGates } from './feature-gates.ts'
import type { FieldError } from './field-error.ts'
import type { ResetFields } from './managed-fields/reset-fields.ts'
import type { SelectableFields } from './selectable-fields.ts'
import type { JsonSchema } from './structural/definition.ts'
import type { KubernetesObject, Writable } from './types.ts'

/** Where objects of type T live: enough to address them on any server. The type parameter exists for the compiler only. */
export interface Resource<T extends KubernetesObject = KubernetesObject> {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly __type?: T
}

export interface Kind<T extends KubernetesObject = KubernetesObject> extends Resource<T> {
  /** Default: the kind in lower case. */
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  /** The Warning header of every request for it. */
  readonly deprecation?: string
  /** Its struct: `apps.Deployment`. */
  readonly type: string
  /** Kinds that share a storage share objects (the two Events). Default: `plural.group`. */
  readonly storage?: string
  /** How its objects are stored, where they are stored as objects of another kind. */
  readonly storedForm?: StoredForm<T>
  /** How a webhook converts its objects from and to the other versions. Together with `storedForm` in all but the storage version. */
  readonly conversion?: Conversion
  /** Its objects are a log: many, and rarely read twice. Their parsed form is not cached for long. */
  readonly isLog?: boolean
  /** Its objects have few equal parts, or are written all the time: informers do not search for equal parts to hold them once. */
  readonly hasFewEqualParts?: boolean
  /** Default: create delete deletecollection get list patch update watch. A review has only create, and is never stored. */
  readonly verbs?: readonly Verb[]
  /** The kind of its lists. Default: `kind` and `List`. */
  readonly listKind?: string
  /** The type of a kind that a CustomResourceDefinition defines, registered as `type` as long as the kind is in use. */
  readonly customType?: CustomType
  /** The schema of a custom kind. */
  readSchema?(): JsonSchema | undefined
  /** Differs where the schema of a custom kind may differ. */
  readonly schemaRevision?: string
  /** Where the scale subresource of a custom kind finds its replicas. */
  readonly replicasPath?: string
  /** A stored object with the defaults that were added since it was stored; undefined where nothing is missing. May change the object. */
  completeStored?(object: KubernetesObject): KubernetesObject | undefined
  /** Loads what its strategy needs, before a write. Undefined: it is loaded. */
  load?(): Promise<void> | undefined
  readonly strategy: Strategy<T>
  /** Its endpoints below an object, in the order of their names. `status` and `scale` work for every kind; the others have a behaviour of their own. */
  readonly subresources?: readonly SubresourceName[]
  /** How `scale` reads and writes its objects. */
  readonly scale?: ScaleAccess<T>
  /** Field selectors beyond metadata.name and metadata.namespace: the label and how to read it. Missing values are ''. */
  readonly selectableFields?: SelectableFields<T>
  /** The error for a field selector that names another field. Default: one that lists the fields of every kind. */
  unknownFieldMessage?(field: string): string
  /** A DELETE that removes the object returns it. Default: a Status of success. */
  readonly returnsDeletedObject?: boolean
  /** Annotations that Kubernetes derives from a field: they are in whole objects, and not in responses with metadata only. */
  readonly wholeObjectAnnotations?: readonly string[]
  /** The finalizer that new objects get, with which a controller keeps them while they are in use. */
  readonly protectionFinalizer?: string
  /** What `kubectl get` shows. Without it: Name and Created At. */
  readonly columns?: Columns<T>
}

export interface StoredForm<T extends KubernetesObject> {
  /** The kind that is stored. */
  readonly kind: Kind
  fromStored(stored: KubernetesObject): T
  toStored(object: T): KubernetesObject
}

/** One object for all versions of a definition. */
export interface Conversion {
  /** Whether the definition has not changed since. */
  readonly isCurrent: boolean
  readonly storageKind: Kind
  /** The version in which records of the revision are stored. */
  kindAt(revision: number): Kind
  /** Rejects with a StatusError. */
  convert(objects: readonly KubernetesObject[], to: Kind): Promise<readonly KubernetesObject[]>
}

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch'

export interface SubresourceName {
  readonly name: string
  readonly kind: string
  readonly group?: string
  readonly version?: string
  readonly verbs: readonly Verb[]
}

export interface ScaleAccess<T> {
  /** 0 where the object has none. */
  replicas(object: T): number
  /** Absent: every object has. */
  hasReplicas?(object: T): boolean
  statusReplicas(object: T): number
  /** The selector in its text form, `app=x,tier in (a,b)`. */
  selector(object: T): string
  /** Throws a StatusError where the object has no place for them. */
  setReplicas(object: Writable<T>, replicas: number): void
}

/** What a decision about an object may know besides the object. */
export interface StrategyContext {
  readonly gates: FeatureGates
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

/**
 * How objects of a kind are prepared and validated before they are stored. All functions are pure, except that they change the object that is
 * passed to be changed. The server
 * calls them in this order: create = default, (admission), prepareForCreate, validate; update = default, (admission),
 * prepareForUpdate, validateUpdate; a write to `status` = default, prepareForStatusUpdate, validateStatusUpdate. At
 * prepareForCreate the object has its name, its uid and its creationTimestamp. `metadata` is filled in and validated by the server itself, for all kinds alike.
 */
export interface Strategy<T extends KubernetesObject = KubernetesObject> {
  /** The rule for metadata.name. Default dns-subdomain, as for most kinds. */
  readonly names?: NameRule
  /** How Kubernetes validates the metadata on behalf of the kind, in addition to the rules for all kinds. */
  readonly metadata?: MetadataRules
  /** metadata.generation is kept, always or where the gate is on: 1 at creation, +1 whenever anything but metadata and status changes. */
  readonly generation?: boolean | FeatureGateName
  /** Whether an ordinary update moves metadata.generation. Default: when anything but metadata and status changes. */
  generationChanges?(next: T, current: T): boolean
  /** PUT to a name that does not exist creates it (Leases, Events, …). */
  readonly createOnUpdate?: boolean
  /** An update without a resourceVersion is accepted. Default true. */
  readonly unconditionalUpdate?: boolean
  /** Many objects have equal specs, as the pods of one template do: they share one. */
  readonly hasEqualSpecs?: boolean
  /** Fills in what the user left out of the spec, in place. What it fills in depends on the spec and the gates alone. */
  defaultSpec?(object: Writable<T>, context: StrategyContext): void
  /** Fills in what the user left out of all else, in place, after `defaultSpec`. Runs on every decoded object, also on those that are only patched. */
  default?(object: Writable<T>, context: StrategyContext): void
  /** Drops what a user may not set at creation (status, disabled fields), in place. */
  prepareForCreate?(object: Writable<T>, context: StrategyContext): void
  /** Brings back what an ordinary write may not change (status, disabled fields), in place. The server itself keeps metadata and generation. */
  prepareForUpdate?(next: Writable<T>, current: T, context: StrategyContext): void
  /** Brings back what a status write may not change, in place. Default: spec, and every metadata field that Kubernetes keeps. */
  prepareForStatusUpdate?(next: Writable<T>, current: T, context: StrategyContext): void
  /** The fields that a write never changes, and so never owns. Default: the spec for a write of the status, the status for all others. */
  readonly resetFields?: ResetFields
  validate?(object: T, context: StrategyContext): FieldError[]
  /** Default: `validate` of the next object. */
  validateUpdate?(next: T, current: T, context: StrategyContext): FieldError[]
  validateStatusUpdate?(next: T, current: T, context: StrategyContext): FieldError[]
  /** Sentences for Warning headers, after a valid create or update. */
  warnings?(object: T, current: T | undefined, context: StrategyContext): string[]
  /** The grace period in seconds, or undefined to remove the object at once. Only pods have one. */
  graceSeconds?(object: T, requestedSeconds: number | undefined): number | undefined
  /** The propagation policy of a delete request that names none. Default Background. */
  readonly defaultPropagation?: 'Background' | 'Orphan'
  /** The Warning header of a delete request that names none. */
  readonly propagationWarning?: string
}

/** Every check that an update repeats lists its causes once more. */
interface MetadataRules {
  /** Finalizers without a `/` are accepted. */
  readonly anyFinalizer?: boolean
  /** When the metadata of a new object is validated: together with the rest, or only where the rest is valid. Default: together. */
  readonly onCreate?: 'together' | 'separately'
  /** Default: changes. */
  readonly onUpdate?: readonly MetadataCheck[]
  /** Default: changes. */
  readonly onStatusUpdate?: readonly MetadataCheck[]
}

/** `changes` compares with the stored metadata, `as new` applies the rules for a new object. */
export type MetadataCheck = 'changes' | 'as new'

/** `long-name` is a DNS subdomain whose generateName is not checked. */
export type NameRule = 'dns-subdomain' | 'long-name' | 'dns-label' | 'dns1035-label' | 'path-segment' | 'any'

export interface ColumnDefinition {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format?: string
  readonly description: string
  /** 0 shows always, 1 with `-o wide`. */
  readonly priority?: number
}

export interface Columns<T> {
  readonly definitions: readonly ColumnDefinition[]
  /** One cell for each definition. Ages come from `nowMs`. */
  cells(object: T, nowMs: number): readonly (string | number | boolean | null)[]
  /** The conditions of a row (Completed pods carry one). */
  conditions?(object: T): readonly unknown[]
}

/** All defaults of an object, in place. Its spec must not be shared. */
export function fillDefaults<T extends KubernetesObject>(
  strategy: Pick<Strategy<T>, 'defaultSpec' | 'default'>,
  object: Writable<T>,
  context: StrategyContext,
): void {
  strategy.defaultSpec?.(object, context)
  strategy.default?.(object, context)
}

/** With a `status`, an ordinary write leaves the status alone and a status write changes nothing else. */
export const hasSubresource = ({ subresources }: Pick<Kind, 'subresources'>, name: string): boolean =>
  subresources?.some((one) => one.name === name) === true

/** `v1`, `apps/v1`. */
export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? version : `${group}/${version}`
}
