// What the level restricted adds to baseline: current practice for hardening pods. In the order of Kubernetes' messages.
// Kubernetes: k8s.io/pod-security-admission/policy.CheckAllowPrivilegeEscalation, CheckCapabilitiesRestricted, CheckProcMountRestricted
// Kubernetes: k8s.io/pod-security-admission/policy.CheckRestrictedVolumes, CheckRunAsNonRoot, CheckRunAsUser
// Kubernetes: k8s.io/pod-security-admission/policy.CheckSeccompProfileRestricted
import type { Container, Pod } from '../../../api/types.ts'
import { checkProcMount, checkSeccompTypes } from './baseline-checks.ts'
import {
  type Check,
  containersOf,
  containersText,
  namesOf,
  type PodSpec,
  plural,
  quoted,
  securityOf,
  settersText,
  sorted,
  unlessInUserNamespace,
  unlessOnWindows,
  type Violation,
} from './check.ts'

function checkEscalation(spec: PodSpec): Violation | undefined {
  const bad = namesOf(spec, (container) => securityOf(container).allowPrivilegeEscalation !== false)
  if (bad.length === 0) return undefined
  const detail = `${containersText(bad)} must set securityContext.allowPrivilegeEscalation=false`
  return { reason: 'allowPrivilegeEscalation != false', detail }
}

function checkCapabilities(spec: PodSpec): Violation | undefined {
  const otherThanBind = (container: Container) =>
    (securityOf(container).capabilities?.add ?? []).filter((one) => one !== 'NET_BIND_SERVICE')
  const keeping = namesOf(spec, (container) => securityOf(container).capabilities?.drop?.includes('ALL') !== true)
  const adding = namesOf(spec, (container) => otherThanBind(container).length > 0)
  const details = [
    ...(keeping.length > 0 ? [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding.length > 0
      ? [
          `${containersText(adding)} must not include ${quoted(sorted(containersOf(spec).flatMap(otherThanBind)))} in securityContext.capabilities.add`,
        ]
      : []),
  ]
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') }
}

type Volume = NonNullable<NonNullable<Pod['spec']>['volumes']>[number]

const allowedVolumes = ['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image', 'persistentVolumeClaim', 'projected', 'secret']
const restrictedVolumes = [
  ...['hostPath', 'gcePersistentDisk', 'awsElasticBlockStore', 'gitRepo', 'nfs', 'iscsi', 'glusterfs', 'rbd', 'flexVolume', 'cinder'],
  ...['cephfs', 'flocker', 'fc', 'azureFile', 'vsphereVolume', 'quobyte', 'azureDisk', 'photonPersistentDisk', 'portworxVolume', 'scaleIO'],
  'storageos',
]

function checkVolumes({ volumes = [] }: PodSpec): Violation | undefined {
  const has = (volume: Volume, type: string) => Reflect.get(volume, type) != null
  const bad = volumes.filter((volume) => !allowedVolumes.some((type) => has(volume, type)))
  if (bad.length === 0) return undefined
  const types = sorted(bad.map((volume) => restrictedVolumes.find((type) => has(volume, type)) ?? 'unknown'))
  const names = quoted(bad.map(({ name }) => name))
  const uses = bad.length === 1 ? 'uses' : 'use'
  return {
    reason: 'restricted volume types',
    detail: `${plural('volume', bad.length)} ${names} ${uses} ${plural('restricted volume type', types.length)} ${quoted(types)}`,
  }
}

function checkNonRoot(spec: PodSpec): Violation | undefined {
  const ofPod = spec.securityContext?.runAsNonRoot ?? undefined
  const setters = settersText(
    ofPod === false,
    namesOf(spec, (container) => securityOf(container).runAsNonRoot === false),
  )
  const reason = 'runAsNonRoot != true'
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` }
  if (ofPod === true) return undefined
  const silent = namesOf(spec, (container) => securityOf(container).runAsNonRoot == null)
  if (silent.length === 0) return undefined
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` }
}

function checkUser(spec: PodSpec): Violation | undefined {
  const setters = settersText(
    spec.securityContext?.runAsUser === 0,
    namesOf(spec, (container) => securityOf(container).runAsUser === 0),
  )
  return setters === '' ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` }
}

function checkSeccomp(spec: PodSpec): Violation | undefined {
  const bad = checkSeccompTypes(spec)
  if (bad !== undefined) return bad
  if (spec.securityContext?.seccompProfile != null) return undefined
  const silent = namesOf(spec, (container) => securityOf(container).seccompProfile == null)
  if (silent.length === 0) return undefined
  return {
    reason: 'seccompProfile',
    detail: `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  }
}

export const restrictedChecks: readonly Check[] = [
  {
    id: 'allowPrivilegeEscalation',
    versions: [
      { from: 8, check: checkEscalation },
      { from: 25, check: unlessOnWindows(checkEscalation) },
    ],
  },
  {
    id: 'capabilities_restricted',
    versions: [
      { from: 22, check: checkCapabilities, overrides: 'capabilities_baseline' },
      { from: 25, check: unlessOnWindows(checkCapabilities), overrides: 'capabilities_baseline' },
    ],
  },
  // Before, the check of baseline made no exception.
  { id: 'procMount_restricted', versions: [{ from: 35, check: checkProcMount, overrides: 'procMount' }] },
  { id: 'restrictedVolumes', versions: [{ from: 0, check: checkVolumes, overrides: 'hostPathVolumes' }] },
  {
    id: 'runAsNonRoot',
    versions: [
      { from: 0, check: checkNonRoot },
      { from: 35, check: unlessInUserNamespace(checkNonRoot) },
    ],
  },
  {
    id: 'runAsUser',
    versions: [
      { from: 23, check: checkUser },
      { from: 35, check: unlessInUserNamespace(checkUser) },
    ],
  },
  {
    id: 'seccompProfile_restricted',
    versions: [
      { from: 19, check: checkSeccomp, overrides: 'seccompProfile_baseline' },
      { from: 25, check: unlessOnWindows(checkSeccomp), overrides: 'seccompProfile_baseline' },
    ],
  },
]
