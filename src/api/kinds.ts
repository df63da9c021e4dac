// The table of kinds. Importing it registers their types. Each kind is defined in its folder, kinds/<group>/<kind>/kind.ts.
import { tokenRequestKind } from './kinds/authentication/token-request/kind.ts'
import { scaleKind } from './kinds/autoscaling/scale/kind.ts'
import * as definitions from './kinds/definitions.ts'
import { evictionKind } from './kinds/policy/eviction/kind.ts'
import { kubernetesOtherVersions } from './machinery/generated/kubernetes.ts'
import type { Kind } from './machinery/kind.ts'
import { type BodyKind, registerKinds } from './machinery/scheme.ts'

export * from './kinds/definitions.ts'

/**
 * Kubernetes' order of groups, which decides the meaning of a short name that two groups have: `kubectl get ev` lists the
 * Events of the core group. Other groups follow in alphabetical order.
 */
const groupOrder = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'storagemigration.k8s.io',
]
const rankOf = ({ group, plural, storedForm }: Kind) => {
  const at = groupOrder.indexOf(group)
  // Of two versions, the one that is stored comes first: clients prefer the first.
  return `${String(at < 0 ? groupOrder.length : at).padStart(3, '0')}/${group}/${plural}/${storedForm === undefined ? 0 : 1}`
}

export const kinds: readonly Kind[] = Object.values(definitions).toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1))

/** Kinds of the bodies of subresources, which have no endpoint of their own. */
const subresourceKinds: readonly BodyKind[] = [scaleKind, evictionKind, tokenRequestKind]

const servedKinds: readonly BodyKind[] = [...kinds, ...subresourceKinds]
/**
 * Versions that Kubernetes can read, and does not serve by default. It refuses them where it expects the version that it serves.
 */
// Kubernetes: pkg/api/legacyscheme.Scheme
// Kubernetes: pkg/controlplane.genericBetaAPIGroupVersionsDisabledByDefault, betaAPIGroupVersionsDisabledByDefault
// Kubernetes: pkg/controlplane.alphaAPIGroupVersionsDisabledByDefault
const unservedKinds = Object.entries(kubernetesOtherVersions).flatMap(([apiVersion, names]) => {
  const [group = '', version = ''] = apiVersion.split('/')
  return names.split('\n').flatMap((name): readonly BodyKind[] => {
    const sameName = servedKinds.filter(({ kind }) => kind === name)
    const known = sameName.find((one) => one.group === group) ?? sameName[0]
    const isRead = known?.otherVersions?.some((one) => one.group === group && one.version === version)
    return known === undefined || isRead ? [] : [{ group, version, kind: name, type: known.type }]
  })
})

registerKinds([...servedKinds, ...unservedKinds])
