// How the smaller kinds of core/v1 are made fit to be stored, and others as simple.
import { compareQuantities, parseQuantity } from '../../base/quantity.ts'
import {
  defaultLimitRange,
  defaultNamespace,
  defaultNode,
  defaultPriorityClass,
  defaultResourceQuota,
  defaultSecret,
} from '../defaults/core.ts'
import type { Strategy } from '../kind.ts'
import type {
  ConfigMap,
  ControllerRevision,
  CoreEvent,
  Event,
  Lease,
  LimitRange,
  Namespace,
  Node,
  PriorityClass,
  ResourceQuota,
  Secret,
  ServiceAccount,
  Writable,
} from '../types.ts'
import { keepSpec, keepStatus } from './status.ts'

const namespaceFinalizer = 'kubernetes'

export const namespaceStrategy: Strategy<Namespace> = {
  names: 'dns-label',
  default: defaultNamespace,
  prepareForCreate(namespace) {
    // A generated name was not there yet when the label was due.
    defaultNamespace(namespace)
    namespace.status = { phase: 'Active' }
    const finalizers = namespace.spec?.finalizers ?? []
    if (!finalizers.includes(namespaceFinalizer)) namespace.spec = { ...namespace.spec, finalizers: [...finalizers, namespaceFinalizer] }
  },
  // The finalizers of the spec have an endpoint of their own.
  prepareForUpdate(next, current) {
    keepStatus(next, current)
    keepSpec(next, current)
  },
  prepareForStatusUpdate: keepSpec,
}

/** A node may say its whole state when it introduces itself: the status is kept at creation. */
export const nodeStrategy: Strategy<Node> = {
  names: 'dns-subdomain',
  default: defaultNode,
  prepareForCreate(node) {
    if (node.spec) delete node.spec.configSource
    if (node.status) delete node.status.config
  },
  prepareForUpdate(next, current) {
    keepStatus(next, current)
    if (next.spec && !current.spec?.configSource) delete next.spec.configSource
  },
  prepareForStatusUpdate(next, current) {
    keepSpec(next, current)
    if (next.status && !current.status?.config) delete next.status.config
  },
  warnings: ({ spec }) => [
    ...(spec?.configSource ? ['spec.configSource: the feature is removed'] : []),
    ...(spec?.externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
  ],
}

export const configMapStrategy: Strategy<ConfigMap> = { names: 'dns-subdomain' }

export const secretStrategy: Strategy<Secret> = { names: 'dns-subdomain', default: defaultSecret }

const mountableSecrets = 'kubernetes.io/enforce-mountable-secrets'

export const serviceAccountStrategy: Strategy<ServiceAccount> = {
  names: 'dns-subdomain',
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  warnings({ metadata }, current) {
    const annotates = (object: ServiceAccount) => Object.hasOwn(object.metadata?.annotations ?? {}, mountableSecrets)
    if (!annotates({ metadata } as ServiceAccount) || (current !== undefined && annotates(current))) return []
    return [
      `metadata.annotations[${mountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
    ]
  },
}

/** Of a reference to a secret only the name counts. */
function keepSecretNames(account: Writable<ServiceAccount>): void {
  if (account.secrets) account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }))
}

export const resourceQuotaStrategy: Strategy<ResourceQuota> = {
  names: 'dns-subdomain',
  default: defaultResourceQuota,
  prepareForCreate(quota) {
    quota.status = {}
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpec,
  warnings: ({ spec }, current) => (current === undefined ? quotaWarnings(spec?.hard ?? {}) : []),
}

/** More may be requested than limits allow. */
function quotaWarnings(hard: Readonly<Record<string, string>>): string[] {
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((resource) => {
    const bare = resource === 'cpu' || resource === 'memory'
    const requestName = !Object.hasOwn(hard, `requests.${resource}`) && bare ? resource : `requests.${resource}`
    const limitName = `limits.${resource}`
    const request = parseQuantity(hard[requestName] ?? '')
    const limit = parseQuantity(hard[limitName] ?? '')
    if (request === undefined || limit === undefined || compareQuantities(request, limit) <= 0) return []
    return [`ResourceQuota ${requestName} (${hard[requestName]}) should be less than ${limitName} (${hard[limitName]})`]
  })
}

export const limitRangeStrategy: Strategy<LimitRange> = { names: 'dns-subdomain', createOnUpdate: true, default: defaultLimitRange }

export const coreEventStrategy: Strategy<CoreEvent> = { names: 'dns-subdomain', createOnUpdate: true }

export const eventStrategy: Strategy<Event> = { names: 'dns-subdomain', createOnUpdate: true }

export const controllerRevisionStrategy: Strategy<ControllerRevision> = { names: 'dns-subdomain' }

/** Coordinated leader election is off in Kubernetes v1.36 unless it is told otherwise, and Rollcall does not have it. */
export const leaseStrategy: Strategy<Lease> = {
  names: 'dns-subdomain',
  createOnUpdate: true,
  unconditionalUpdate: false,
  prepareForCreate(lease) {
    delete lease.spec?.strategy
    delete lease.spec?.preferredHolder
  },
  prepareForUpdate(next, current) {
    if (next.spec && !current.spec?.strategy) delete next.spec.strategy
    if (next.spec && !current.spec?.preferredHolder) delete next.spec.preferredHolder
  },
}

/** Its generation is 1 and stays so. */
export const priorityClassStrategy: Strategy<PriorityClass> = {
  names: 'dns-subdomain',
  generation: true,
  generationChanges: () => false,
  default: defaultPriorityClass,
}
