// Order of resource versions. Kubernetes guarantees it since 1.35; servers on etcd have always had it.
// Kubernetes: k8s.io/apimachinery/pkg/util/resourceversion.CompareResourceVersion

/** Whether a cache that has observed `observed` contains the write that made `written`. Versions that are not numbers are only compared for equality. */
export function isObserved(written: string, observed: string): boolean {
  if (!isNumber(written) || !isNumber(observed)) return written === observed
  return written.length < observed.length || (written.length === observed.length && written <= observed)
}

/** Whether `one` is older than `other`. */
export const isOlderVersion = (one: string, other: string) => one !== other && isObserved(one, other)

const isNumber = (version: string) => /^[1-9][0-9]*$/.test(version) || version === '0'
