// The ServiceAccount plugin: every pod runs as a service account that exists, and its containers have a token of it.
// Kubernetes: plugin/pkg/admission/serviceaccount.Plugin.Admit, Plugin.Validate, Plugin.mountServiceAccountToken
// Kubernetes: plugin/pkg/admission/serviceaccount.Plugin.getServiceAccount, shouldAutomount, TokenVolumeSource
import { pods, serviceAccounts } from '../../api/kinds.ts'
import { parseGoBool } from '../../api/machinery/go-text.ts'
import { KnownSpecs } from '../../api/machinery/known-specs.ts'
import type { Container, Pod, ServiceAccount, Writable } from '../../api/types.ts'
import { type Random, randomSuffix } from '../../base/random.ts'
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

// Which Secrets a pod may refer to. A mirror pod may refer to none. Other pods are restricted to the Secrets of their service account
// if it has the annotation kubernetes.io/enforce-mountable-secrets.
// Kubernetes: plugin/pkg/admission/serviceaccount.Plugin.Validate, Plugin.limitSecretReferences
// Kubernetes: plugin/pkg/admission/serviceaccount.Plugin.limitEphemeralContainerSecretReferences, Plugin.enforceMountableSecrets
/** A mirror pod shows a static pod of a kubelet. Its spec must stay as the kubelet has it. */
const isMirrorPod = ({ metadata }: Pod): boolean =>
  metadata?.annotations !== undefined && Object.hasOwn(metadata.annotations, 'kubernetes.io/config.mirror')

function findMirrorProblem(pod: Pod): Refusal {
  if (pod.spec?.serviceAccountName) return 'a mirror pod may not reference service accounts'
  if (refersToSecret(pod)) return 'a mirror pod may not reference secrets'
  const hasToken = pod.spec?.volumes?.some(({ projected }) =>
    projected?.sources?.some((source) => source.serviceAccountToken !== undefined),
  )
  return hasToken ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined
}

/** `onlyEphemeral`: only the ephemeral containers are new. */
function findSecretProblem(account: ServiceAccount, { spec }: Pod, onlyEphemeral: boolean): Refusal {
  const isEnforced = parseGoBool(account.metadata?.annotations?.['kubernetes.io/enforce-mountable-secrets'] ?? '') === true
  if (!isEnforced || spec === undefined) return undefined
  const mountable = new Set((account.secrets ?? []).map(({ name }) => name ?? ''))
  const because = (kind = 'secret') => `is not allowed because service account ${account.metadata?.name} does not reference that ${kind}`
  const ofContainers = (label: string, containers: readonly Container[] = []): Refusal => {
    for (const { name, env = [], envFrom = [] } of containers) {
      const variable = env.find(({ valueFrom }) => valueFrom?.secretKeyRef && !mountable.has(valueFrom.secretKeyRef.name ?? ''))
      if (variable !== undefined)
        return `${label} ${name} with envVar ${variable.name} referencing secret.secretName="${variable.valueFrom!.secretKeyRef!.name}" ${because()}`
      const source = envFrom.find(({ secretRef }) => secretRef && !mountable.has(secretRef.name ?? ''))
      if (source !== undefined)
        return `${label} ${name} with envFrom referencing secret.secretName="${source.secretRef!.name}" ${because()}`
    }
    return undefined
  }
  if (onlyEphemeral) return ofContainers('ephemeral container', spec.ephemeralContainers as readonly Container[] | undefined)
  const volume = spec.volumes?.find(({ secret }) => secret && !mountable.has(secret.secretName ?? ''))
  if (volume !== undefined) return `volume with secret.secretName="${volume.secret!.secretName}" ${because()}`
  const ofPod = ofContainers('init container', spec.initContainers) ?? ofContainers('container', spec.containers)
  if (ofPod !== undefined) return ofPod
  const pullable = new Set((account.imagePullSecrets ?? []).map(({ name }) => name))
  const at = (spec.imagePullSecrets ?? []).findIndex(({ name }) => !pullable.has(name))
  return at < 0 ? undefined : `imagePullSecrets[${at}].name="${spec.imagePullSecrets![at]!.name}" ${because('imagePullSecret')}`
}

function refersToSecret({ spec }: Pod): boolean {
  if (spec === undefined) return false
  const containers = [...(spec.initContainers ?? []), ...spec.containers, ...((spec.ephemeralContainers ?? []) as readonly Container[])]
  const names = [
    ...(spec.imagePullSecrets ?? []).map(({ name }) => name),
    ...containers.flatMap(({ env = [], envFrom = [] }) => [
      ...envFrom.map(({ secretRef }) => secretRef?.name),
      ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ]),
    ...(spec.volumes ?? []).flatMap(({ azureFile, cephfs, cinder, csi, flexVolume, iscsi, projected, rbd, scaleIO, secret, storageos }) => [
      azureFile?.secretName,
      secret?.secretName,
      csi?.nodePublishSecretRef?.name,
      ...[cephfs, cinder, flexVolume, iscsi, rbd, scaleIO, storageos].map((source) => source?.secretRef?.name),
      ...(projected?.sources ?? []).map((source) => source.secret?.name),
    ]),
  ]
  return names.some(Boolean)
}
