// Sets the default IngressClass of new Ingresses without a class.
import { ingressClasses } from '../../api/kinds.ts'
import type { Ingress, IngressClass, Writable } from '../../api/types.ts'
import { newestDefault } from './newest-default.ts'
import { type AdmissionPlugin, creates } from './plugin.ts'

export const defaultIngressClass: AdmissionPlugin = {
  admit(write) {
    if (creates(write, 'networking.Ingress'))
      setDefaultIngressClass(write.next as Writable<Ingress>, write.cluster.list(ingressClasses, ''))
    return undefined
  },
}

const isDefault = ['ingressclass.kubernetes.io/is-default-class']
const classAnnotation = 'kubernetes.io/ingress.class'

function setDefaultIngressClass(ingress: Writable<Ingress>, classes: readonly IngressClass[]): void {
  if (ingress.spec === undefined || ingress.spec.ingressClassName !== undefined) return
  if (ingress.metadata?.annotations !== undefined && Object.hasOwn(ingress.metadata.annotations, classAnnotation)) return
  const name = newestDefault(classes, isDefault)
  if (name !== undefined) ingress.spec.ingressClassName = name
}
