// Sets the default class of new claims and Ingresses that name no class.
// Kubernetes: plugin/pkg/admission/storage/storageclass/setdefault.claimDefaulterPlugin.Admit
// Kubernetes: plugin/pkg/admission/network/defaultingressclass.classDefaulterPlugin.Admit, getDefaultClass
import { ingressClasses, ingresses, persistentVolumeClaims, storageClasses } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { type AdmissionPlugin, among, creates } from './plugin.ts'

interface ClassRules {
  readonly classes: Kind<KubernetesObject>
  /** The field of the spec that names the class. */
  readonly field: string
  /** The annotation that named the class before there was a field. */
  readonly oldAnnotation: string
  /** The annotations that mark a class as the default. */
  readonly defaultAnnotations: readonly string[]
}

const defaultClass = (kind: Kind, { classes, field, oldAnnotation, defaultAnnotations }: ClassRules): AdmissionPlugin => ({
  concerns: among(kind),
  admit(write) {
    if (!creates(write)) return
    const { metadata, spec } = write.next as KubernetesObject & { spec?: Record<string, unknown> }
    const hasClass = spec?.[field] !== undefined || Object.hasOwn(metadata?.annotations ?? {}, oldAnnotation)
    if (spec === undefined || hasClass) return
    const name = newestDefault(write.cluster.list(classes, ''), defaultAnnotations)
    if (name !== undefined) spec[field] = name
  },
})

export const defaultStorageClass = defaultClass(persistentVolumeClaims, {
  classes: storageClasses,
  field: 'storageClassName',
  oldAnnotation: 'volume.beta.kubernetes.io/storage-class',
  defaultAnnotations: ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'],
})

export const defaultIngressClass = defaultClass(ingresses, {
  classes: ingressClasses,
  field: 'ingressClassName',
  oldAnnotation: 'kubernetes.io/ingress.class',
  defaultAnnotations: ['ingressclass.kubernetes.io/is-default-class'],
})

/** The name of the newest default class; of several as new, the first by name. */
function newestDefault(classes: readonly KubernetesObject[], annotations: readonly string[]): string | undefined {
  const [newest] = classes
    .filter(({ metadata }) => annotations.some((annotation) => metadata?.annotations?.[annotation] === 'true'))
    .sort((a, b) => compare(b.metadata?.creationTimestamp, a.metadata?.creationTimestamp) || compare(a.metadata?.name, b.metadata?.name))
  return newest?.metadata?.name
}

const compare = (a = '', b = '') => (a < b ? -1 : a > b ? 1 : 0)
