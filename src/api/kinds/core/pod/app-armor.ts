// AppArmor profiles were annotations before they became fields.
// Kubernetes: pkg/registry/core/pod.applyAppArmorVersionSkew
// Kubernetes: pkg/api/pod.ApparmorFieldForAnnotation
import { isEqualJson } from '../../../../base/json.ts'
import { replaceFields } from '../../../machinery/fields.ts'
import type { Container, Pod, PodSpec, Writable } from '../../../types.ts'

type Profile = NonNullable<NonNullable<Writable<Container>['securityContext']>['appArmorProfile']>

export const appArmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/'
const maxProfileLength = 4095

/** The profile that an annotation names, or undefined. */
export function appArmorProfileOf(annotation: string): Profile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' }
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' }
  if (!annotation.startsWith('localhost/')) return undefined
  const localhostProfile = annotation.slice('localhost/'.length)
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile }
}

export function hasAppArmorAnnotations({ metadata }: Pod): boolean {
  for (const key in metadata?.annotations) if (key.startsWith(appArmorAnnotation)) return true
  return false
}

/** A container without a profile takes that of its annotation, unless the whole pod has the same. At creation. */
export function copyAppArmorAnnotations({ metadata, spec }: Writable<Pod>): void {
  const annotations = metadata?.annotations
  if (!annotations || !spec || spec.os?.name === 'windows') return
  for (const list of ['initContainers', 'containers'] as const)
    if (spec[list]) spec[list] = spec[list].map((container) => withProfile(container, annotations, spec))
}

function withProfile(container: Writable<Container>, annotations: Readonly<Record<string, string>>, spec: PodSpec): Writable<Container> {
  const key = `${appArmorAnnotation}${container.name}`
  if (container.securityContext?.appArmorProfile || !Object.hasOwn(annotations, key)) return container
  const appArmorProfile = appArmorProfileOf(annotations[key]!)
  if (appArmorProfile === undefined || !isFit(appArmorProfile) || isEqualJson(appArmorProfile, spec.securityContext?.appArmorProfile))
    return container
  const securityContext = replaceFields('core.SecurityContext', container.securityContext, { appArmorProfile })
  return replaceFields('core.Container', container, { securityContext })
}

const isFit = ({ localhostProfile: name }: Profile) => name === undefined || (name.trim() === name && name.length <= maxProfileLength)
