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
import { validateControllerRevision, validateControllerRevisionUpdate } from '../kinds/apps/controller-revision/validation.ts'
import { validateLease, validateLeaseUpdate } from '../kinds/coordination/lease/validation.ts'
import { validateLimitRange, validateLimitRangeUpdate } from '../kinds/core/limit-range/validation.ts'
import { validateNamespace, validateNamespaceStatusUpdate, validateNamespaceUpdate } from '../kinds/core/namespace/validation.ts'
import { validateNode, validateNodeStatusUpdate, validateNodeUpdate } from '../kinds/core/node/validation.ts'
import {
  validateResourceQuota,
  validateResourceQuotaStatusUpdate,
  validateResourceQuotaUpdate,
} from '../kinds/core/resource-quota/validation.ts'
import { validatePriorityClass, validatePriorityClassUpdate } from '../kinds/scheduling/priority-class/validation.ts'
import { keepSpec, keepStatus } from '../machinery/kept-fields.ts'
import type { Strategy } from '../machinery/kind.ts'
import { andAsNew } from '../machinery/validation/metadata.ts'
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
import { validateConfigMap, validateConfigMapUpdate, validateSecret, validateSecretUpdate } from '../validation/config-data.ts'
import { validateCoreEvent, validateCoreEventUpdate, validateEvent, validateEventUpdate } from '../validation/event.ts'

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
  validate: validateNamespace,
  validateUpdate: andAsNew('cluster', 'dns-label', validateNamespaceUpdate),
  validateStatusUpdate: validateNamespaceStatusUpdate,
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
  validate: validateNode,
  validateUpdate: andAsNew('cluster', 'dns-subdomain', validateNodeUpdate),
  validateStatusUpdate: validateNodeStatusUpdate,
  warnings: ({ spec }) => [
    ...(spec?.configSource ? ['spec.configSource: the feature is removed'] : []),
    ...(spec?.externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
  ],
}

export const configMapStrategy: Strategy<ConfigMap> = {
  names: 'dns-subdomain',
  validate: validateConfigMap,
  validateUpdate: andAsNew('namespaced', 'dns-subdomain', validateConfigMapUpdate),
}

export const secretStrategy: Strategy<Secret> = {
  names: 'dns-subdomain',
  default: defaultSecret,
  validate: validateSecret,
  validateUpdate: andAsNew('namespaced', 'dns-subdomain', validateSecretUpdate),
}

const mountableSecrets = 'kubernetes.io/enforce-mountable-secrets'

export const serviceAccountStrategy: Strategy<ServiceAccount> = {
  names: 'dns-subdomain',
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  validateUpdate: andAsNew('namespaced', 'dns-subdomain'),
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
  validate: validateResourceQuota,
  validateUpdate: validateResourceQuotaUpdate,
  validateStatusUpdate: validateResourceQuotaStatusUpdate,
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

export const limitRangeStrategy: Strategy<LimitRange> = {
  names: 'dns-subdomain',
  createOnUpdate: true,
  default: defaultLimitRange,
  // The only kind that needs no name: any will do.
  prepareForCreate({ metadata }) {
    if (metadata && !metadata.name && metadata.uid) metadata.name = metadata.uid
  },
  validate: validateLimitRange,
  validateUpdate: validateLimitRangeUpdate,
}

export const coreEventStrategy: Strategy<CoreEvent> = {
  names: 'path-segment',
  createOnUpdate: true,
  validate: validateCoreEvent,
  validateUpdate: validateCoreEventUpdate,
}

export const eventStrategy: Strategy<Event> = {
  names: 'dns-subdomain',
  createOnUpdate: true,
  validate: validateEvent,
  validateUpdate: validateEventUpdate,
}

export const controllerRevisionStrategy: Strategy<ControllerRevision> = {
  names: 'dns-subdomain',
  validate: validateControllerRevision,
  validateUpdate: andAsNew('namespaced', 'dns-subdomain', validateControllerRevisionUpdate),
}

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
  validate: validateLease,
  validateUpdate: validateLeaseUpdate,
}

/** Its generation is 1 and stays so. */
export const priorityClassStrategy: Strategy<PriorityClass> = {
  names: 'dns-subdomain',
  generation: true,
  generationChanges: () => false,
  default: defaultPriorityClass,
  validate: validatePriorityClass,
  validateUpdate: validatePriorityClassUpdate,
}
