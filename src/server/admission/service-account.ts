// The ServiceAccount plugin: every pod runs as a service account that exists, and its containers have a token of it.
// Kubernetes: plugin/pkg/admission/serviceaccount.Plugin.Admit, Plugin.Validate, Plugin.mountServiceAccountToken
// Kubernetes: plugin/pkg/admission/serviceaccount.Plugin.getServiceAccount, shouldAutomount, TokenVolumeSource
import { pods, serviceAccounts } from '../../api/kinds.ts'
import { KnownSpecs } from '../../api/machinery/known-specs.ts'
import type { Pod, ServiceAccount, Writable } from '../../api/types.ts'
import { type Random, randomSuffix } from '../../base/random.ts'
import { findMirrorProblem, findSecretProblem, isMirrorPod } from './account-secrets.ts'
import { type AdmissionPlugin, type AdmittedWrite, among, creates, type Refusal } from './plugin.ts'

type Spec = NonNullable<Writable<Pod>['spec']>
type SpecContainer = Spec['containers'][number]

const defaultName = 'default'
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount'
const volumePrefix = 'kube-api-access-'

/** See ../kinds/service-account/behavior.ts. */
const extendedTokenSeconds = 3607

export const serviceAccount: AdmissionPlugin = {
  concerns: among(pods),
  /** The controller creates the default account of a new namespace a moment after the namespace. */
  awaits(write) {
    if (!creates(write) || isMirrorPod(write.next) || nameOf(write.next) !== defaultName) return undefined
    const namespace = write.cluster.namespace(write.namespace)
    return namespace?.status?.phase === 'Active' ? { kind: serviceAccounts, namespace: write.namespace, name: defaultName } : undefined
  },
  admit(write) {
    if (!creates(write) || isMirrorPod(write.next)) return checkPod(write)
    const account = readAccount(write, nameOf(write.next))
    if (account === undefined) return notFound(write, nameOf(write.next))
    const pod = write.next as Writable<Pod>
    if (pod.spec !== undefined) pod.spec = admittedSpec(pod.spec, account, write.random)
    return checkPod(write)
  },
  check: checkPod,
}

/** `serviceAccount` is the old name of the field; defaults set both. */
const nameOf = ({ spec }: Pod): string => spec?.serviceAccountName || spec?.serviceAccount || defaultName

const readAccount = ({ cluster, namespace }: AdmittedWrite, name: string) => cluster.get(serviceAccounts, namespace, name)

const notFound = ({ namespace }: AdmittedWrite, name: string): Refusal =>
  `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`

function checkPod(write: AdmittedWrite): Refusal {
  const { subresource, current } = write
  const addsEphemeral = current !== undefined && subresource === 'ephemeralcontainers'
  if (current !== undefined && !addsEphemeral) return undefined
  const pod = write.next as Pod
  if (!addsEphemeral && isMirrorPod(pod)) return findMirrorProblem(pod)
  const { serviceAccountName = '' } = pod.spec ?? {}
  if (serviceAccountName === '') return `no service account specified for pod ${write.namespace}/${pod.metadata?.name ?? ''}`
  const account = readAccount(write, serviceAccountName)
  return account === undefined ? notFound(write, serviceAccountName) : findSecretProblem(account, pod, addsEphemeral)
}

interface AccountedSpec {
  readonly spec: Spec
}

/**
 * Pods of one template share a spec, and keep sharing it: the random end of the volume's name is the same for all of them, where
 * Kubernetes gives each pod its own. The name has a meaning within the pod only.
 */
const accounted = new KnownSpecs<AccountedSpec>()

function admittedSpec(spec: Spec, account: ServiceAccount, random: Random): Spec {
  const { imagePullSecrets = [], automountServiceAccountToken: automount } = account
  const name = account.metadata?.name ?? ''
  return accounted.of(spec, [name, imagePullSecrets, automount], () => {
    const named = { ...spec, serviceAccountName: name, serviceAccount: name }
    const mounts = spec.automountServiceAccountToken ?? automount ?? true
    const mounted = mounts ? withToken(named, random) : named
    if ((spec.imagePullSecrets ?? []).length > 0 || imagePullSecrets.length === 0) return { spec: mounted }
    return { spec: { ...mounted, imagePullSecrets: imagePullSecrets.map(({ name = '' }) => ({ name })) } }
  }).spec
}

function withToken(spec: Spec, random: Random): Spec {
  const { volumes = [], containers, initContainers } = spec
  const known = volumes.find(({ name }) => name.startsWith(volumePrefix))?.name
  const name = known ?? `${volumePrefix}${randomSuffix(random)}`
  let isNeeded = false
  const mount = (container: SpecContainer): SpecContainer => {
    const { volumeMounts = [] } = container
    if (volumeMounts.some((one) => one.mountPath === mountPath)) return container
    isNeeded = true
    return { ...container, volumeMounts: [...volumeMounts, { name, readOnly: true, mountPath }] }
  }
  const mounted = { ...spec, ...(initContainers && { initContainers: initContainers.map(mount) }), containers: containers.map(mount) }
  return !isNeeded || known !== undefined ? mounted : { ...mounted, volumes: [...volumes, { name, projected: tokenProjection }] }
}

const tokenProjection = {
  sources: [
    { serviceAccountToken: { expirationSeconds: extendedTokenSeconds, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
  ],
  defaultMode: 0o644,
}
