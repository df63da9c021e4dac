// Serves the kinds that CustomResourceDefinitions define. A change of a definition takes effect before its writer gets a response, because the
// store notifies this watcher first. The status of the definition (accepted names, conditions) is then written in a second write, and the custom
// resources of a terminating definition are deleted.
// Kubernetes: k8s.io/apiextensions-apiserver/pkg/apiserver.crdHandler.*

import { planApproval } from '../../api/kinds/apiextensions/custom-resource-definition/approval.ts'
import { customResourceDefinitions } from '../../api/kinds.ts'
import { withCondition } from '../../api/machinery/conditions.ts'
import type { Conversion, Kind } from '../../api/machinery/kind.ts'
import { compareVersions, type KindSet } from '../../api/machinery/kind-set.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import { createCustomKind } from '../../api/machinery/structural/custom-kind.ts'
import type {
  CustomResourceDefinition,
  DefinitionNames,
  DefinitionVersion,
  WebhookConversion,
} from '../../api/machinery/structural/definition.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { formatTime } from '../../base/clock.ts'
import { isEqualJson } from '../../base/json.ts'
import { StoreClosedError, type StoredRecord, type StoreEvent } from '../../store/store.ts'
import { cleanupFinalizer } from '../kinds/custom-resource-definition/behavior.ts'
import { changeStored } from '../rest/change-stored.ts'
import { whenConverted } from '../rest/conversion.ts'
import { deleteObject } from '../rest/delete.ts'
import { list } from '../rest/list.ts'
import { prefixOf, type WriteScope } from '../rest/scope.ts'
import type { ServiceReader } from '../webhooks/webhook-address.ts'
import { convertByWebhook } from './conversion-webhook.ts'
import { isEstablished, planEstablished, planNames } from './names.ts'
import { formatHistory, type StoragePeriod, storageHistory, storageHistoryAnnotation, versionAt } from './storage-history.ts'

/** After a failed deletion of custom resources. */
const retryMs = 5_000

/** The parts of a definition that stay in memory; the rest is read from the store when it is needed. */
interface Known {
  readonly group: string
  readonly names: Partial<DefinitionNames>
  readonly generation: number
  readonly isTerminating: boolean
  readonly history: readonly StoragePeriod[]
}

export class CustomResources {
  readonly #scope: WriteScope
  readonly #services: ServiceReader
  readonly #kinds: KindSet
  readonly #onFailure: (what: string, error: unknown) => void
  readonly #known = new Map<string, Known>()
  /** Definitions whose status or deletion is under way. */
  readonly #busy = new Set<string>()
  readonly #again = new Set<string>()

  constructor(scope: WriteScope, services: ServiceReader, kinds: KindSet, onFailure: (what: string, error: unknown) => void) {
    this.#scope = scope
    this.#services = services
    this.#kinds = kinds
    this.#onFailure = onFailure
    const { store } = scope
    const { records, revision } = store.list(prefixOf(customResourceDefinitions, ''))
    for (const record of records) this.#observe(record)
    store.watch(prefixOf(customResourceDefinitions, ''), revision, (events) => this.#follow(events))
  }

  #follow(events: readonly StoreEvent[]): void {
    for (const { type, record } of events) {
      if (type === 'put') this.#observe(record)
      else this.#forget(nameOf(record))
    }
  }

  #observe(record: StoredRecord): void {
    const definition = readDefinition(record)
    const name = definition.metadata?.name ?? ''
    const before = this.#known.get(name)
    const naming = planNames(definition, this.#othersOf(name, definition.spec.group))
    const names = { plural: '', kind: '', ...naming.acceptedNames }
    const known: Known = {
      group: definition.spec.group,
      names,
      generation: definition.metadata?.generation ?? 0,
      isTerminating: definition.metadata?.deletionTimestamp !== undefined,
      history: storageHistory(definition, record.revision, before?.history),
    }
    this.#known.set(name, known)
    const isServed = isEstablished(definition) || naming.condition.status === 'True'
    if (before === undefined || before.generation !== known.generation || !isEqualJson(before.names, names))
      this.#kinds.set(name, isServed ? this.#kindsOf(definition, names as DefinitionNames, record.key, known.history) : [])
    const needsStatus =
      !isEqualJson(withoutEmpty(definition.status?.acceptedNames), withoutEmpty(names)) ||
      !isEstablished(definition) ||
      !definition.status?.conditions?.some(({ type, status }) => type === 'NamesAccepted' && status === naming.condition.status)
    if (known.isTerminating || needsStatus || !isNoted(definition, known.history)) this.#sync(name)
  }

  #forget(name: string): void {
    const { group } = this.#known.get(name) ?? {}
    this.#known.delete(name)
    this.#kinds.set(name, [])
    // Another definition of the group may be waiting for its names.
    for (const [other, known] of this.#known) if (known.group === group) this.#reconsider(other)
  }

  #reconsider(name: string): void {
    const record = this.#scope.store.get(`${prefixOf(customResourceDefinitions, '')}${name}`)
    if (record !== undefined) this.#observe(record)
  }

  #othersOf(name: string, group: string): Partial<DefinitionNames>[] {
    const others: Partial<DefinitionNames>[] = []
    for (const [other, known] of this.#known) if (other !== name && known.group === group) others.push(known.names)
    return others
  }

  #kindsOf(definition: CustomResourceDefinition, names: DefinitionNames, key: string, history: readonly StoragePeriod[]): Kind[] {
    const { spec } = definition
    const converts = spec.conversion?.strategy === 'Webhook'
    const served = spec.versions.filter((version) => version.served || version.storage || converts)
    // The storage version first: the others are views of it.
    served.sort((one, other) => Number(other.storage) - Number(one.storage))
    let stored: Kind | undefined
    const byVersion = new Map<string, Kind>()
    const webhook = converts ? (spec.conversion?.webhook ?? { conversionReviewVersions: [] }) : undefined
    const conversion: Conversion | undefined =
      webhook &&
      conversionOf(webhook, byVersion, history, this.#services, () => this.#kinds.customOf(nameOf({ key }))[0]?.conversion === conversion)
    const kinds: Kind[] = []
    for (const { schema: _, ...version } of served) {
      const kind = createCustomKind({
        definition: { group: spec.group, scope: spec.scope, ...(spec.preserveUnknownFields && { preserveUnknownFields: true }) },
        names,
        version,
        successor: version.deprecated === true ? successorOf(version.name, served) : undefined,
        stored,
        conversion,
        revision: `${definition.metadata?.uid}/${definition.metadata?.generation}`,
        readSchema: () => this.#readSchema(key, version.name),
      })
      byVersion.set(version.name, kind)
      if (version.storage) stored = kind
      if (version.served) kinds.push(kind)
    }
    return kinds
  }

  #readSchema(key: string, version: string) {
    const record = this.#scope.store.get(key)
    if (record === undefined) return undefined
    return readDefinition(record).spec.versions.find(({ name }) => name === version)?.schema?.openAPIV3Schema
  }

  /** One at a time for each definition. */
  #sync(name: string): void {
    if (this.#busy.has(name)) {
      this.#again.add(name)
      return
    }
    this.#busy.add(name)
    void this.#apply(name)
      .catch((error: unknown) => {
        if (error instanceof StoreClosedError || isStatusError(error, 'NotFound')) return
        this.#onFailure(`custom resources: ${name}`, error)
        // A webhook that converts or reviews the custom resources may refuse a deletion for a while.
        if (this.#known.get(name)?.isTerminating) this.#scope.wallClock.after(retryMs, () => this.#reconsider(name))
      })
      .then(() => {
        this.#busy.delete(name)
        if (this.#again.delete(name)) this.#reconsider(name)
      })
  }

  async #apply(name: string): Promise<void> {
    await changeStored(this.#scope, customResourceDefinitions, '', name, false, (current) =>
      this.#withStatus(current as CustomResourceDefinition),
    )
    if (this.#known.get(name)?.isTerminating) await this.#deleteInstances(name)
  }

  #withStatus(definition: CustomResourceDefinition): KubernetesObject {
    const now = formatTime(this.#scope.clock.now())
    const { name = '' } = definition.metadata ?? {}
    const naming = planNames(definition, this.#othersOf(name, definition.spec.group))
    let conditions = definition.status?.conditions ?? []
    conditions = withCondition(conditions, naming.condition, now)
    conditions = withCondition(conditions, planEstablished(definition, naming), now)
    const approval = planApproval(definition)
    if (approval !== undefined) conditions = withCondition(conditions, approval, now)
    const acceptedNames = { plural: '', kind: '', ...naming.acceptedNames }
    const { history = [] } = this.#known.get(name) ?? {}
    const noted = isNoted(definition, history) ? definition : withHistory(definition, history)
    return { ...noted, status: { ...definition.status, conditions, acceptedNames } } as CustomResourceDefinition
  }

  /** Deletes all custom resources, waits for those with finalizers, then removes the finalizer and deletes the definition. */
  async #deleteInstances(name: string): Promise<void> {
    const scope = this.#scope
    const [served] = this.#kinds.customOf(name)
    const kind = served?.conversion?.storageKind ?? served
    const options = { caller: { name: 'system:apiserver', groups: ['system:masters'] }, manager: 'rollcall' }
    if (kind !== undefined) {
      const listed = await whenConverted(kind, () => list(scope, kind, '', {}))
      for (const { object } of listed.items) {
        const { name: instance = '', namespace = '' } = object.metadata ?? {}
        try {
          await deleteObject(scope, kind, namespace, instance, options)
        } catch (error) {
          if (!isStatusError(error, 'NotFound')) throw error
        }
      }
      if (scope.store.count(prefixOf(kind, '')) > 0) {
        this.#awaitInstances(name, kind)
        return
      }
    }
    await changeStored(scope, customResourceDefinitions, '', name, false, (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: (current.metadata?.finalizers ?? []).filter((one) => one !== cleanupFinalizer) },
    }))
    await deleteObject(scope, customResourceDefinitions, '', name, options)
  }

  #awaitInstances(name: string, kind: Kind): void {
    const { store } = this.#scope
    const stop = store.watch(prefixOf(kind, ''), store.revision, (events) => {
      if (!events.some(({ type }) => type === 'delete') || store.count(prefixOf(kind, '')) > 0) return
      stop()
      this.#reconsider(name)
    })
    // The last one may have been deleted meanwhile.
    if (store.count(prefixOf(kind, '')) === 0) {
      stop()
      this.#reconsider(name)
    }
  }
}

function conversionOf(
  webhook: WebhookConversion,
  byVersion: ReadonlyMap<string, Kind>,
  history: readonly StoragePeriod[],
  services: ServiceReader,
  isCurrent: () => boolean,
): Conversion {
  const storageKind = () => byVersion.get(history.at(-1)?.version ?? '')!
  return {
    get isCurrent() {
      return isCurrent()
    },
    get storageKind() {
      return storageKind()
    },
    kindAt: (revision) => byVersion.get(versionAt(history, revision)) ?? storageKind(),
    convert: (objects, to) => convertByWebhook(webhook, objects, to, services),
  }
}

const isNoted = ({ metadata }: CustomResourceDefinition, history: readonly StoragePeriod[]) =>
  history.length < 2 || metadata?.annotations?.[storageHistoryAnnotation] === formatHistory(history)

const withHistory = ({ metadata, ...rest }: CustomResourceDefinition, history: readonly StoragePeriod[]) => ({
  ...rest,
  metadata: { ...metadata, annotations: { ...metadata?.annotations, [storageHistoryAnnotation]: formatHistory(history) } },
})

const nameOf = ({ key }: Pick<StoredRecord, 'key'>) => key.slice(key.lastIndexOf('/') + 1)

/** Parsed for this use only: definitions are large, and rarely read. */
const readDefinition = (record: StoredRecord): CustomResourceDefinition => JSON.parse(record.value) as CustomResourceDefinition

function withoutEmpty(names: Partial<DefinitionNames> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(names ?? {}).filter(([, value]) => value !== '' && (!Array.isArray(value) || value.length > 0)))
}

/** The version that clients prefer of those that are served, not deprecated, and preferred to this one. */
function successorOf(
  deprecated: string,
  versions: readonly Pick<DefinitionVersion, 'name' | 'served' | 'deprecated'>[],
): string | undefined {
  return versions
    .filter(({ name, served, deprecated: isDeprecated }) => served && isDeprecated !== true && compareVersions(name, deprecated) < 0)
    .map(({ name }) => name)
    .sort(compareVersions)[0]
}
