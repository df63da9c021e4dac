// The parts of Kubernetes objects that the page reads.

export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly uid: string
  readonly resourceVersion?: string
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
}

export interface OwnerReference {
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
}

export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
  readonly lastUpdateTime?: string
}

export interface AnyObject {
  readonly kind?: string
  readonly metadata: ObjectMeta
  readonly spec?: Fields
  readonly status?: Fields
}

export type Fields = Readonly<Record<string, unknown>>

export interface Container {
  readonly name: string
  readonly image?: string
  readonly resources?: { readonly requests?: Readonly<Record<string, string>> }
}

export interface ContainerStatus {
  readonly name: string
  readonly ready?: boolean
  readonly restartCount?: number
  readonly state?: Readonly<Record<string, { readonly reason?: string; readonly message?: string } | undefined>>
}

export interface Pod extends AnyObject {
  readonly spec?: {
    readonly nodeName?: string
    readonly containers?: readonly Container[]
    readonly schedulingGates?: readonly { readonly name: string }[]
    readonly terminationGracePeriodSeconds?: number
  }
  readonly status?: {
    readonly phase?: string
    readonly reason?: string
    readonly conditions?: readonly Condition[]
    readonly containerStatuses?: readonly ContainerStatus[]
    readonly initContainerStatuses?: readonly ContainerStatus[]
  }
}

export interface KubernetesEvent extends AnyObject {
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly count?: number
  readonly lastTimestamp?: string | null
  readonly firstTimestamp?: string | null
  readonly eventTime?: string | null
  readonly involvedObject?: { readonly kind?: string; readonly namespace?: string; readonly name?: string; readonly uid?: string }
}

export const controllerOf = ({ metadata }: AnyObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)

export const conditionsOf = (object: AnyObject): readonly Condition[] =>
  (object.status?.['conditions'] as readonly Condition[] | undefined) ?? []

/** A node without a condition has not reported yet. */
export const isReadyNode = (node: AnyObject): boolean =>
  conditionsOf(node).some(({ type, status }) => type === 'Ready' && status === 'True')

export const numberOf = (fields: Fields | undefined, name: string): number | undefined => {
  const value = fields?.[name]
  return typeof value === 'number' ? value : undefined
}

/** Removes what the page never reads, in place: it makes up more than half of an object. */
export function withoutUnused<T extends AnyObject>(object: T): T {
  delete (object.metadata as { managedFields?: unknown }).managedFields
  if (object.status !== undefined) delete (object.status as { images?: unknown }).images
  return object
}

/** The parts of a pod that the page reads. */
export function podParts({ metadata, spec, status }: Pod): Pod {
  const { annotations: _, ...own } = withoutUnused({ metadata }).metadata
  const containers = spec?.containers?.map(({ name, resources }) => ({ name, ...(resources && { resources }) }))
  return {
    metadata: own,
    spec: {
      ...(spec?.nodeName !== undefined && { nodeName: spec.nodeName }),
      ...(spec?.schedulingGates && { schedulingGates: spec.schedulingGates }),
      ...(containers && { containers }),
    },
    ...(status && { status }),
  }
}
