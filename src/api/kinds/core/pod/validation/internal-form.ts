// Parts of a pod, and the source of a PersistentVolume, as Kubernetes' messages show them: all fields, under their Go names, in the
// order of Kubernetes' internal types.
// Kubernetes: k8s.io/apimachinery/pkg/util/validation/field.Error.ErrorBody
import { sortKeys } from '../../../../../base/maps.ts'
import { ownValue } from '../../../../machinery/json-object.ts'
import { type Field, isPointer, structOf } from '../../../../machinery/schema/schema.ts'
import { goNameOf, zeroValue } from '../../../../machinery/validation/shown-struct.ts'

type Fields = Readonly<Record<string, unknown>>

/** The fields of the internal types whose order differs from that of v1, and the struct of v1 that has them. */
const reordered: Readonly<Record<string, readonly [struct: string, fields: string]>> = {
  PodSpec: [
    'core.PodSpec',
    'volumes initContainers containers ephemeralContainers restartPolicy terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName automountServiceAccountToken nodeName securityContext imagePullSecrets hostname subdomain setHostnameAsFQDN affinity schedulerName tolerations hostAliases priorityClassName priority preemptionPolicy dnsConfig readinessGates runtimeClassName overhead enableServiceLinks topologySpreadConstraints os schedulingGates resourceClaims resources hostnameOverride schedulingGroup',
  ],
  PodSecurityContext: [
    'core.PodSecurityContext',
    'seLinuxOptions windowsOptions runAsUser runAsGroup runAsNonRoot supplementalGroups supplementalGroupsPolicy fsGroup fsGroupChangePolicy sysctls seccompProfile appArmorProfile seLinuxChangePolicy',
  ],
  Volume: [
    'core.Volume',
    'name hostPath emptyDir gcePersistentDisk awsElasticBlockStore gitRepo secret nfs iscsi glusterfs persistentVolumeClaim rbd quobyte flexVolume cinder cephfs flocker downwardAPI fc azureFile configMap vsphereVolume azureDisk photonPersistentDisk projected portworxVolume scaleIO storageos csi ephemeral image',
  ],
  PersistentVolumeSource: [
    'core.PersistentVolumeSpec',
    'gcePersistentDisk awsElasticBlockStore hostPath glusterfs nfs rbd quobyte iscsi flexVolume cinder cephfs fc flocker azureFile vsphereVolume azureDisk photonPersistentDisk portworxVolume scaleIO local storageos csi',
  ],
}

/** Internally, these fields of a spec are in its security context. */
const securityFields = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers']

const pick = (struct: string, names: readonly string[]) => names.map((name) => structOf(struct).byName.get(name)!)

const known = new Map<string, readonly Field[]>()

function fieldsOf(type: string): readonly Field[] {
  let fields = known.get(type)
  if (fields === undefined) {
    const other = reordered[type]
    fields = other === undefined ? structOf(`core.${type}`).fields : pick(other[0], other[1].split(' '))
    if (type === 'PodSecurityContext') fields = [...pick('core.PodSpec', securityFields), ...fields]
    known.set(type, fields)
  }
  return fields
}

/** The value of a struct (`core.SecurityContext` or `SecurityContext`), to be shown as JSON. */
export function internalForm(type: string, value: unknown): unknown {
  const name = type.replace(/^core\./, '')
  const from = (value ?? {}) as Fields
  return structForm(name, name === 'PodSpec' ? withPodSecurity(from) : from)
}

/** With the security context that the spec always has internally. */
function withPodSecurity(spec: Fields): Fields {
  return {
    ...spec,
    serviceAccountName: spec['serviceAccountName'] || spec['serviceAccount'],
    securityContext: {
      ...(spec['securityContext'] as Fields | undefined),
      ...Object.fromEntries(securityFields.map((field) => [field, spec[field]])),
    },
  }
}

function structForm(type: string, value: Fields): Fields {
  const result: Record<string, unknown> = {}
  for (const field of fieldsOf(type)) {
    const part = ownValue(value, field.name) ?? undefined
    // Go inlines embedded metadata.
    if (field.goName === 'ObjectMeta') Object.assign(result, part)
    else result[goNameOf(field)] = valueForm(field.type, part)
  }
  return result
}

function valueForm(type: Field['type'], value: unknown): unknown {
  const struct = type.kind === 'struct' && type.name.startsWith('core.') ? type.name.slice('core.'.length) : undefined
  if (struct !== undefined && (value !== undefined || !isPointer(type))) return structForm(struct, (value ?? {}) as Fields)
  if (value === undefined) return zeroValue(type)
  return type.kind === 'list' ? (value as readonly unknown[]).map((one) => valueForm(type.of, one ?? undefined)) : sorted(value)
}

/** Maps are written in the order of their keys; selectors keep that of their fields, which happens to be the reverse. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { matchLabels, matchExpressions } = value as Fields
  if (matchLabels !== undefined || matchExpressions !== undefined)
    return {
      ...(matchLabels !== undefined && { matchLabels: sorted(matchLabels) }),
      ...(matchExpressions !== undefined && { matchExpressions }),
    }
  return sortKeys(value as Fields)
}
