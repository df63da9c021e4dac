// Which Secrets a pod may refer to. A mirror pod may refer to none. Other pods are restricted to the Secrets of their service account
// if it has the annotation kubernetes.io/enforce-mountable-secrets.
// Kubernetes: plugin/pkg/admission/serviceaccount.Plugin.Validate, Plugin.limitSecretReferences
// Kubernetes: plugin/pkg/admission/serviceaccount.Plugin.limitEphemeralContainerSecretReferences, Plugin.enforceMountableSecrets
import { parseGoBool } from '../../api/machinery/go-text.ts'
import type { Container, Pod, ServiceAccount } from '../../api/types.ts'
import type { Refusal } from './plugin.ts'

/** A mirror pod shows a static pod of a kubelet. Its spec must stay as the kubelet has it. */
export const isMirrorPod = ({ metadata }: Pod): boolean =>
  metadata?.annotations !== undefined && Object.hasOwn(metadata.annotations, 'kubernetes.io/config.mirror')

export function findMirrorProblem(pod: Pod): Refusal {
  if (pod.spec?.serviceAccountName) return 'a mirror pod may not reference service accounts'
  if (refersToSecret(pod)) return 'a mirror pod may not reference secrets'
  const hasToken = pod.spec?.volumes?.some(({ projected }) =>
    projected?.sources?.some((source) => source.serviceAccountToken !== undefined),
  )
  return hasToken ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined
}

/** `onlyEphemeral`: only the ephemeral containers are new. */
export function findSecretProblem(account: ServiceAccount, { spec }: Pod, onlyEphemeral: boolean): Refusal {
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
