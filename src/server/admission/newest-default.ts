import type { KubernetesObject } from '../../api/types.ts'

/** The name of the class that one of the annotations marks as the default: the newest of several, then the first by name. */
export function newestDefault(classes: readonly KubernetesObject[], annotations: readonly string[]): string | undefined {
  const [newest] = classes
    .filter(({ metadata }) => annotations.some((annotation) => metadata?.annotations?.[annotation] === 'true'))
    .sort((a, b) => compare(b.metadata?.creationTimestamp, a.metadata?.creationTimestamp) || compare(a.metadata?.name, b.metadata?.name))
  return newest?.metadata?.name
}

const compare = (a = '', b = '') => (a < b ? -1 : a > b ? 1 : 0)
